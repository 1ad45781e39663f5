"""PostgreSQL and Java as Debian packages them, for the tests that need a server of their own.

    python tests/services.py      installs what is absent (as root, or through a sudo that asks for no password)

The server lives in a temporary folder, listens on a free port of this machine only, and is stopped by its process id.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

USER, PASSWORD = "groundspeed", "correct horse"
POSTGRES_PACKAGE, JAVA_PACKAGE = "postgresql", "openjdk-17-jre-headless"


class UnavailableError(Exception):
    """A service is not on this machine and cannot be installed; the message names what to install."""


def postgres_programs() -> Path | None:
    """The folder of initdb and postgres, which Debian keeps out of PATH."""
    for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: int(p.parent.name), reverse=True):
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    initdb = shutil.which("initdb")
    return Path(initdb).resolve().parent if initdb else None


def java_home() -> Path | None:
    """A Java that PySpark 4.0 runs on (17 or 21), whatever `java` stands for on this machine."""
    for version in ("17", "21"):
        for home in sorted(Path("/usr/lib/jvm").glob(f"java-{version}-openjdk-*")):
            if (home / "bin" / "java").exists():
                return home
    named = os.environ.get("JAVA_HOME")
    return Path(named) if named and (Path(named) / "bin" / "java").exists() else None


def install(package: str) -> None:
    """Install a Debian package.

    Raises:
        UnavailableError: On a system without apt-get, or without the right to use it, or if apt-get fails; with what it said.
    """
    may_sudo = shutil.which("sudo") and not subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode
    before = [] if os.geteuid() == 0 else ["sudo", "-n"] if may_sudo else None
    if before is None or not shutil.which("apt-get"):
        raise UnavailableError(f"not installed, and cannot be from here: `apt-get install {package}` (as root) would")
    command = [*before, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q"]
    if package == POSTGRES_PACKAGE:
        # The package would otherwise make a cluster of its own and start it; the tests want the programs alone.
        settings = "mkdir -p /etc/postgresql-common/createcluster.d && echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.d/groundspeed-tests.conf"
        subprocess.run([*before, "sh", "-c", settings], check=True)
    for arguments in (["update"], ["install", "-y", "--no-install-recommends", package]):
        done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)
        if done.returncode:
            raise UnavailableError(f"apt-get {' '.join(arguments)} failed: {done.stderr.strip()[-500:]}")


def ensure_postgres() -> Path:
    """PostgreSQL's programs, installed if absent."""
    if postgres_programs() is None:
        install(POSTGRES_PACKAGE)
    found = postgres_programs()
    if found is None:
        raise RuntimeError(f"{POSTGRES_PACKAGE} is installed, and its initdb is not in /usr/lib/postgresql")
    return found


def ensure_java() -> Path:
    """Java's home, installed if absent."""
    if java_home() is None:
        install(JAVA_PACKAGE)
    found = java_home()
    if found is None:
        raise RuntimeError(f"{JAVA_PACKAGE} is installed, and is not in /usr/lib/jvm")
    return found


def _free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port: int = s.getsockname()[1]
        return port


@contextlib.contextmanager
def postgres_server() -> Iterator[str]:
    """A PostgreSQL server for the time of a `with`; its address is "user:password@host:port/postgres".

    Raises:
        UnavailableError: If there is none and none can be installed.
    """
    programs = ensure_postgres()
    folder = Path(tempfile.mkdtemp(prefix="groundspeed-postgres-"))
    as_user: dict[str, object] = {}
    if os.geteuid() == 0:  # initdb refuses root; the package brought this user
        owner = pwd.getpwnam("postgres")
        os.chown(folder, owner.pw_uid, owner.pw_gid)
        as_user = {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C"}
    password = folder / "password"
    password.write_text(PASSWORD)
    password.chmod(0o644)
    try:
        subprocess.run(
            [programs / "initdb", "-D", folder / "data", "-U", USER, "-A", "scram-sha-256", f"--pwfile={password}", "-E", "UTF8", "--locale=C", "--no-sync"],
            check=True, capture_output=True, cwd=folder, env=environment, **as_user,
        )  # fmt: skip
        port = _free_port()
        settings = {"listen_addresses": "127.0.0.1", "unix_socket_directories": str(folder), "fsync": "off"}
        with (folder / "log").open("wb") as log:
            server = subprocess.Popen(
                [programs / "postgres", "-D", folder / "data", "-p", str(port), *(f"--{k}={v}" for k, v in settings.items())],
                stdout=log, stderr=log, cwd=folder, env=environment, **as_user,
            )  # fmt: skip
        try:
            _wait(server, port, folder / "log")
            yield f"{USER}:{PASSWORD.replace(' ', '%20')}@127.0.0.1:{port}/postgres"
        finally:
            server.send_signal(signal.SIGINT)  # PostgreSQL's "fast" shutdown: ends sessions, keeps the files whole
            server.wait(60)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _wait(server: subprocess.Popen[bytes], port: int, log: Path, seconds: float = 60) -> None:
    """Until the server is ready; a port that is open may still belong to a server that starts."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if server.poll() is not None:
            raise RuntimeError(f"PostgreSQL ended at once: {log.read_text('utf-8', 'replace')[-2000:]}")
        if "ready to accept connections" in log.read_text("utf-8", "replace"):
            return
        time.sleep(0.05)
    raise RuntimeError(
        f"PostgreSQL is not ready on port {port} after {seconds:.0f} s: {log.read_text('utf-8', 'replace')[-2000:]}"
    )


if __name__ == "__main__":
    try:
        print(f"PostgreSQL: {ensure_postgres()}\nJava: {ensure_java()}")
    except (UnavailableError, RuntimeError) as error:
        sys.exit(f"services: {error}")
