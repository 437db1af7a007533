# Makes .venv ready. Dot-sourced by start.ps1 and test.ps1, which set $extras ("" or "[dev]").
# Environment: $env:CATDOG_TORCH = "cu130" takes PyTorch with NVIDIA's libraries (about 3 GB); cpu and cu126 work too.
$ErrorActionPreference = "Stop"
$root = Split-Path -Parent $PSScriptRoot
$venv = Join-Path $root ".venv"
$python = Join-Path $venv "Scripts\python.exe"
$stamp = Join-Path $venv $(if ($extras) { "ready-dev" } else { "ready" })
$key = "$root " + (Get-FileHash (Join-Path $root "pyproject.toml")).Hash

function Stop-With($sentence) {
    [Console]::Error.WriteLine($sentence)
    exit 1
}

function Test-Python($command, $options) {
    if (-not (Get-Command $command -ErrorAction SilentlyContinue)) { return $false }
    try { & $command @options -c "import sys; sys.exit(sys.version_info < (3, 11))" 2>$null | Out-Null } catch { return $false }
    return $LASTEXITCODE -eq 0
}

function Test-Ready {
    if (-not (Test-Path $python)) { return $false }
    foreach ($file in @($stamp, (Join-Path $venv "ready-dev"))) { # what is ready for the tests is ready for the window
        if ((Test-Path $file) -and ((Get-Content $file -Raw).Trim() -eq $key)) { return $true }
    }
    return $false
}

function Install-With-Pip($what, $packages) {
    & $python -m pip --disable-pip-version-check install @packages
    if ($LASTEXITCODE -eq 0) { return }
    Stop-With ("$what could not be installed; pip's reason is above. Check that this computer is online (behind a proxy," +
        " set HTTPS_PROXY) and that its disk has room, then run the same command again: it goes on from there.")
}

function New-Venv {
    if (Test-Python $python @()) { return }
    if (Test-Path $venv) { Remove-Item -Recurse -Force $venv } # a broken one
    if (Test-Python "py" @("-3")) { & py -3 -m venv $venv }
    elseif (Test-Python "python" @()) { & python -m venv $venv }
    else { Stop-With "Python 3.11 or newer is needed and was not found; install it from https://www.python.org/downloads/ and try again." }
    if ($LASTEXITCODE -ne 0) { Stop-With "The Python environment $venv could not be made; the reason is above." }
}

function Initialize-Project {
    if (Test-Ready) { return }
    New-Venv
    if ($env:CATDOG_TORCH) {
        $index = "https://download.pytorch.org/whl/$env:CATDOG_TORCH"
        Install-With-Pip "PyTorch for CATDOG_TORCH=$env:CATDOG_TORCH (cpu, cu126 or cu130)" @("torch", "torchvision", "--index-url", $index)
    }
    Install-With-Pip "What the program needs" @("-e", "$root$extras")
    Set-Content -Path $stamp -Value $key
}
