"""The processes that compute one run together; mostly there is one."""
