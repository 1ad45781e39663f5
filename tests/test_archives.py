"""Archives and repositories as places, and the hostile ones that are refused."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import struct
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from groundspeed.errors import SourceError
from groundspeed.sources._limits import Limits
from groundspeed.sources._open import is_place, open_place
from groundspeed.sources._repositories import repository

FILES = {"closed/AMD/a.txt": b"alpha", "open/b.json": b"{}" * 1000, "top.csv": b"x,y\n"}
git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def make_zip(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def make_tar(path: Path, members: dict[str, bytes], mode: str = "w") -> Path:
    with tarfile.open(path, mode) as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path


def tar_with(path: Path, *odd: tarfile.TarInfo, mode: str = "w") -> Path:
    """An archive with one good file and the members given."""
    with tarfile.open(path, mode) as archive:
        good = tarfile.TarInfo("good.txt")
        good.size = 4
        archive.addfile(good, io.BytesIO(b"good"))
        for info in odd:
            archive.addfile(info)
    return path


def member(name: str, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def content(path: Path, **options: object) -> dict[str, bytes]:
    with open_place(path, **options) as place:  # type: ignore[arg-type]
        return {file.path: file.read() for file in place.files}


def run_git(folder: Path, *arguments: str) -> None:
    names = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", "-C", str(folder), *names, *arguments], check=True, capture_output=True)


@pytest.fixture
def working_copy(tmp_path: Path) -> Path:
    """A repository with the files in a first commit, and one of them changed in a second."""
    root = tmp_path / "copy"
    for name, data in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    run_git(root, "init", "-q")
    run_git(root, "add", "-A")
    run_git(root, "commit", "-q", "-m", "one")
    run_git(root, "tag", "first")
    (root / "top.csv").write_bytes(b"changed\n")
    (root / "link").symlink_to("/etc/passwd")
    run_git(root, "add", "-A")
    run_git(root, "commit", "-q", "-m", "two")
    return root


class TestTheSameFilesInEveryPlace:
    def test_a_zip(self, tmp_path):
        assert content(make_zip(tmp_path / "a.zip", FILES)) == FILES

    @pytest.mark.parametrize("mode", ["w", "w:gz"])
    @pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
    def test_a_tar(self, tmp_path, mode, form):
        long = {f"{'long/' * 40}{i}.txt": b"deep" for i in range(2)} if form != tarfile.USTAR_FORMAT else {}
        with tarfile.open(tmp_path / "a", mode, format=form) as archive:
            for name, data in (FILES | long).items():
                info = tarfile.TarInfo(name)
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))
        assert content(tmp_path / "a") == FILES | long

    def test_it_is_known_by_its_content_and_not_by_its_name(self, tmp_path):
        make_zip(tmp_path / "a.tar.gz", FILES)
        make_tar(tmp_path / "b.zip", FILES, "w:gz")
        assert content(tmp_path / "a.tar.gz") == content(tmp_path / "b.zip") == FILES

    def test_a_gzip_file_of_something_else_is_a_file(self, tmp_path):
        (tmp_path / "table.jsonl.gz").write_bytes(gzip.compress(b"{}\n" * 400))
        assert not is_place(tmp_path / "table.jsonl.gz")

    def test_files_of_hidden_directories_are_left_out(self, tmp_path):
        assert content(make_zip(tmp_path / "a.zip", {".git/config": b"x", "a/.b/c": b"y", "d": b"z"})) == {"d": b"z"}

    @git
    def test_a_bare_repository_at_its_head(self, tmp_path, working_copy):
        run_git(tmp_path, "clone", "-q", "--bare", str(working_copy), str(tmp_path / "bare.git"))
        assert content(tmp_path / "bare.git") == FILES | {"top.csv": b"changed\n"}

    @git
    def test_a_working_copy_is_what_lies_there_and_a_revision_is_what_was_committed(self, working_copy):
        (working_copy / "top.csv").write_bytes(b"not committed\n")
        (working_copy / "link").unlink()
        assert content(working_copy)["top.csv"] == b"not committed\n"
        assert content(working_copy, revision="first") == FILES
        assert content(working_copy, revision="main")["top.csv"] == b"changed\n"

    @git
    def test_links_of_a_repository_are_left_out_and_named(self, working_copy):
        with repository(working_copy) as place:
            assert place.left_out == ("link: a link",)


class TestRefused:
    @pytest.mark.parametrize("name", ["../out", "a/../../out", "/etc/passwd", "..\\out", "C:\\out", "C:/out", "a/.."])
    @pytest.mark.parametrize("kind", ["zip", "tar", "tgz"])
    def test_names_that_lead_out(self, tmp_path, kind, name):
        path = tmp_path / f"a.{kind}"
        if kind == "zip":
            make_zip(path, {"good": b"x", name: b"y"})
        else:
            make_tar(path, {"good": b"x", name: b"y"}, "w:gz" if kind == "tgz" else "w")
        with pytest.raises(SourceError, match="inside the archive"):
            content(path)
        assert [p.name for p in tmp_path.iterdir()] == [path.name]

    def test_a_nul_in_a_name(self, tmp_path):
        path = make_zip(tmp_path / "a.zip", {"good.txtXevil": b"x"})
        path.write_bytes(path.read_bytes().replace(b"good.txtXevil", b"good.txt\0evil"))
        with pytest.raises(SourceError, match="NUL"):
            content(path)

    @pytest.mark.parametrize("mode", ["w", "w:gz"])
    @pytest.mark.parametrize("kind", [tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
    def test_devices(self, tmp_path, mode, kind):
        with pytest.raises(SourceError, match="device"):
            content(tar_with(tmp_path / "a", member("dev", kind), mode=mode))

    @pytest.mark.parametrize("target", ["/etc/passwd", "../../etc/passwd", "a/../../x"])
    def test_links_that_lead_out(self, tmp_path, target):
        with pytest.raises(SourceError, match="link out of the archive"):
            content(tar_with(tmp_path / "a.tar", member("link", tarfile.SYMTYPE, target)))
        info = zipfile.ZipInfo("link")
        info.external_attr = 0o120777 << 16
        with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
            archive.writestr(info, target)
        with pytest.raises(SourceError, match="link out of the archive"):
            content(tmp_path / "a.zip")

    def test_a_hard_link_that_leads_out(self, tmp_path):
        with pytest.raises(SourceError, match="inside the archive"):
            content(tar_with(tmp_path / "a.tar", member("link", tarfile.LNKTYPE, "../../etc/passwd")))

    def test_links_inside_are_never_followed_and_named(self, tmp_path):
        path = tar_with(tmp_path / "a.tar", member("s", tarfile.SYMTYPE, "good.txt"), member("h", tarfile.LNKTYPE, "good.txt"))
        with open_place(path) as place:
            assert [file.path for file in place.files] == ["good.txt"]
            assert place.left_out == ("s: a link to good.txt", "h: a link to good.txt")

    def test_two_members_of_one_name(self, tmp_path):
        with pytest.raises(SourceError, match="two members"):
            content(tar_with(tmp_path / "a.tar", member("twice"), member("./twice")))
        make_zip(tmp_path / "a.zip", {"one": b"1", "two": b"2"})
        (tmp_path / "a.zip").write_bytes((tmp_path / "a.zip").read_bytes().replace(b"two", b"one"))
        with pytest.raises(SourceError, match="two members"):
            content(tmp_path / "a.zip")

    @pytest.mark.parametrize("kind", ["zip", "tgz"])
    def test_a_decompression_bomb(self, tmp_path, kind):
        zeros = {f"{i}": bytes(40 << 20) for i in range(2)} | {"one": bytes(80 << 20)}
        path = make_zip(tmp_path / "a", zeros) if kind == "zip" else make_tar(tmp_path / "a", zeros, "w:gz")
        with pytest.raises(SourceError, match="bomb"):
            content(path)

    def test_a_bomb_in_the_headers_of_a_tar(self, tmp_path):
        """An extended header is read into memory by whoever believes its size."""
        head = tarfile.TarInfo("x")
        head.type, head.size = tarfile.XHDTYPE, 1 << 33
        (tmp_path / "a.tar").write_bytes(head.tobuf(tarfile.GNU_FORMAT) + bytes(10240))
        with pytest.raises(SourceError, match="a header of 8,589,934,592 bytes"):
            content(tmp_path / "a.tar")

    def test_a_zip_that_declares_less_than_it_holds(self, tmp_path):
        path = make_zip(tmp_path / "a.zip", {"liar": bytes(100_000)})
        path.write_bytes(path.read_bytes().replace(struct.pack("<I", 100_000), struct.pack("<I", 10)))
        with pytest.raises(SourceError, match="damaged data"):
            content(path)

    @pytest.mark.parametrize("kind", ["zip", "tar", "tgz", "directory"])
    def test_more_files_than_allowed(self, tmp_path, kind):
        many = {f"{i}": b"" for i in range(20)}
        if kind == "zip":
            path = make_zip(tmp_path / "a", many)
        elif kind == "directory":
            path = tmp_path
            for name in many:
                (path / name).touch()
        else:
            path = make_tar(tmp_path / "a", many, "w:gz" if kind == "tgz" else "w")
        with pytest.raises(SourceError, match=r"more than 19 files.*--max-files"):
            content(path, limits=Limits(files=19))
        assert len(content(path, limits=Limits(files=20))) == 20

    @pytest.mark.parametrize("kind", ["zip", "tar", "tgz"])
    def test_larger_files_and_more_bytes_than_allowed(self, tmp_path, kind):
        two = {"a": b"x" * 1000, "b": b"y" * 1000}
        path = make_zip(tmp_path / "a", two) if kind == "zip" else make_tar(tmp_path / "a", two, "w:gz" if kind == "tgz" else "w")
        with pytest.raises(SourceError, match="--max-file-bytes"):
            content(path, limits=Limits(file_bytes=999))
        with pytest.raises(SourceError, match="--max-bytes"):
            content(path, limits=Limits(total_bytes=1999))
        assert content(path, limits=Limits(file_bytes=1000, total_bytes=2000)) == two

    @pytest.mark.parametrize("kind", ["zip", "tar", "tgz"])
    def test_truncated_anywhere_it_is_an_error_and_never_fewer_files(self, tmp_path, kind):
        files = {f"{i}.txt": os.urandom(700) for i in range(5)}
        path = (
            make_zip(tmp_path / "a", files)
            if kind == "zip"
            else make_tar(tmp_path / "a", files, "w:gz" if kind == "tgz" else "w")
        )
        whole = path.read_bytes()
        for end in range(600, len(whole) if kind != "tar" else 5 * 1536, 97):
            path.write_bytes(whole[:end])
            with pytest.raises(SourceError):
                content(path)

    def test_damage_in_the_middle_of_a_tar(self, tmp_path):
        path = make_tar(tmp_path / "a.tar", {f"{i}": b"x" * 512 for i in range(5)})
        whole = bytearray(path.read_bytes())
        whole[2048 + 148 : 2048 + 156] = b"99999999"
        path.write_bytes(whole)
        with pytest.raises(SourceError, match="damaged member"):
            content(path)

    def test_an_encrypted_zip(self, tmp_path):
        path = make_zip(tmp_path / "a.zip", {"secret": b"x"})
        data = bytearray(path.read_bytes())
        data[data.index(b"PK\x01\x02") + 8] |= 1
        path.write_bytes(data)
        with pytest.raises(SourceError, match="encrypted"):
            content(path)

    def test_what_is_no_place(self, tmp_path):
        (tmp_path / "a.txt").write_text("text")
        with pytest.raises(SourceError, match="no archive"):
            content(tmp_path / "a.txt")
        with pytest.raises(SourceError, match="no such file"):
            content(tmp_path / "none")


@git
class TestRepositories:
    def test_a_revision_that_is_not_there(self, working_copy):
        with pytest.raises(SourceError, match='no revision "v9"'):
            content(working_copy, revision="v9")

    def test_a_revision_that_is_an_option(self, working_copy):
        with pytest.raises(SourceError, match="a branch, a tag or a commit"):
            content(working_copy, revision="--output=x")

    def test_a_revision_of_a_plain_directory(self, tmp_path):
        with pytest.raises(SourceError, match="no repository"):
            content(tmp_path, revision="main")

    def test_limits_hold_for_what_was_committed(self, working_copy):
        with pytest.raises(SourceError, match="--max-file-bytes"):
            content(working_copy, revision="main", limits=Limits(file_bytes=100))

    def test_without_git_the_message_says_so(self, working_copy, monkeypatch):
        monkeypatch.setenv("PATH", "")
        with pytest.raises(SourceError, match="no git on this machine"):
            content(working_copy, revision="main")

    def test_a_repository_with_a_missing_object(self, tmp_path, working_copy):
        blob = subprocess.run(
            ["git", "-C", str(working_copy), "rev-parse", "main:open/b.json"], capture_output=True, text=True, check=True
        ).stdout.strip()
        (working_copy / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
        with pytest.raises(SourceError, match="git"):
            content(working_copy, revision="main")

    def test_nothing_is_checked_out(self, tmp_path, working_copy):
        run_git(tmp_path, "clone", "-q", "--bare", str(working_copy), str(tmp_path / "bare.git"))
        before = sorted(p for p in tmp_path.rglob("*"))
        content(tmp_path / "bare.git")
        assert sorted(p for p in tmp_path.rglob("*")) == before
