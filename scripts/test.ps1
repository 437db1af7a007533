# Sets everything up (the first time), then runs the tests:
# powershell -ExecutionPolicy Bypass -File scripts\test.ps1 [pytest's arguments; paths are relative to the repository]
$extras = "[dev]"
. (Join-Path $PSScriptRoot "setup.ps1")
Initialize-Project
Set-Location $root
& $python -m pytest @args
exit $LASTEXITCODE
