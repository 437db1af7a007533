# Sets everything up (the first time), then opens the window:
# powershell -ExecutionPolicy Bypass -File scripts\start.ps1 [FOLDER | RUN | MODEL | PHOTO ...]
$extras = ""
. (Join-Path $PSScriptRoot "setup.ps1")
Initialize-Project
& $python -P -m catdog_gui @args
exit $LASTEXITCODE
