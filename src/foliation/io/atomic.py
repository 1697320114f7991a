"""Files that are written completely or not at all.

A file is written under a temporary name beside its place, then renamed. Its writer holds a lock on it (``flock``),
which ends with the process. So a temporary file whose lock can be taken is what a killed process left, and the next
writer of the same place removes it.
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from foliation.printable import printable
from foliation.validation import file_path
from foliation.warn import warn

try:
    import fcntl
except ImportError:  # not on Windows: there, an open file cannot be removed, and leftovers stay
    fcntl = None  # type: ignore[assignment]

_LOCKS = fcntl is not None
_UNSUPPORTED = (errno.EINVAL, errno.EBADF, errno.ENOTSUP, errno.EACCES)  # of folders that cannot be synchronized
_FOLDER = "it is a folder; give the name of a file in it"
StrPath = str | os.PathLike[str]

_NEW_FILE = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_GROUP, _OTHERS = 0o070, 0o007
_NEW, _PRIVATE = 0o666, 0o600  # permissions of new files, and of unfinished ones: a leftover must be read to be locked


def check_place(path: StrPath) -> Path:
    """Return where a file will be; raise OSError if it cannot be written there. Call it before the work.

    A new file beside the place is made and removed, which finds missing rights, full disks and read-only ones.
    """
    place = _place(path)
    with _errors_naming(place), _temporary(place) as unfinished:
        os.close(_create(unfinished, _PRIVATE))  # Windows removes no open file
        unfinished.unlink(missing_ok=True)  # another writer may have taken it for a leftover
    return place


def write_atomic(path: StrPath, write: Callable[[BinaryIO], object]) -> None:
    """Call ``write`` with a temporary file beside the place, then rename it; keep owner and permissions of an old file.

    If anything fails, the old file stays as it was, nothing is left beside it, and an OSError names place and reason.
    """
    place = _place(path)
    _remove_leftovers(place)
    with _errors_naming(place), _temporary(place) as unfinished:
        descriptor = -1
        try:
            descriptor = _create(unfinished, _NEW if _status(place) is None else _PRIVATE)  # less the umask
            mode = _adopt(descriptor, place)
            with os.fdopen(os.dup(descriptor) if _LOCKS else descriptor, "wb") as file:
                write(file)
                file.flush()
                _set_mode(file.fileno(), mode)
                os.fsync(file.fileno())
            unfinished.replace(place)
        finally:
            _release(descriptor)
    _sync_folder(place)


def _place(path: StrPath) -> Path:
    """Return the file that a path leads to; a link stays one. Raise an error for what cannot become a file."""
    place = Path(os.path.realpath(file_path(path)))
    with _errors_naming(place):
        if os.path.basename(os.fsdecode(path)) in ("", "."):  # noqa: PTH119 - a Path forgets the slash at the end
            raise IsADirectoryError(_FOLDER)
        old = _status(place)
        if not place.parent.is_dir():
            raise NotADirectoryError(f"{printable(place.parent)} is not a folder")
        if old is not None and stat.S_ISDIR(old.st_mode):
            raise IsADirectoryError(_FOLDER)
        if old is not None and not stat.S_ISREG(old.st_mode):
            raise OSError("it is a device or a pipe")
        if old is not None and not os.access(place, os.W_OK):
            raise PermissionError("it is read-only")
    return place


def _status(place: Path) -> os.stat_result | None:
    """Return what the system knows of a file; None if there is none."""
    try:
        return place.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None


@contextmanager
def _errors_naming(place: Path) -> Iterator[None]:
    """Replace the temporary name in an OSError by the place of the file."""
    try:
        yield
    except OSError as error:
        raise _failure(place, error) from error


def _failure(place: Path, error: OSError) -> OSError:
    reason = printable(error.strerror or error)
    failure = type(error)(f"cannot write {printable(place)}: {reason[:1].lower()}{reason[1:]}")
    failure.errno = error.errno
    return failure


# ---- temporary files ----


def _lead(place: Path) -> str:
    """Return how names of temporary files begin, short whatever the name of the file is."""
    return f".unfinished.{hashlib.sha256(os.fsencode(place.name)).hexdigest()[:16]}."


@contextmanager
def _temporary(place: Path) -> Iterator[Path]:
    """Name a temporary file before it is made, so that it is removed whenever its writer fails or is interrupted."""
    unfinished = place.with_name(f"{_lead(place)}{secrets.token_hex(8)}")
    try:
        yield unfinished
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def _create(unfinished: Path, mode: int) -> int:
    """Make a temporary file and lock it; return its descriptor."""
    while True:
        descriptor = -1
        try:
            descriptor = os.open(unfinished, _NEW_FILE, mode)
            _lock(descriptor, wait=True)
            if unfinished.exists():  # before it was locked, another writer may have taken it for a leftover
                return descriptor
        except BaseException:
            if descriptor >= 0:
                os.close(descriptor)
            raise
        os.close(descriptor)


def _lock(descriptor: int, *, wait: bool) -> bool:
    """Lock an open file; return whether that could be done."""
    if not _LOCKS:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:  # another writer holds it, or the file system knows no locks
        return False
    return True


def _release(descriptor: int) -> None:
    """End the lock, if there is one."""
    if _LOCKS:
        with suppress(OSError):
            os.close(descriptor)


def _remove_leftovers(place: Path) -> None:
    """Remove what killed writers of the same place left; files of living writers are locked."""
    with suppress(OSError):  # a folder that cannot be listed
        for leftover in place.parent.glob(f"{_lead(place)}*"):
            with suppress(OSError):  # somebody else's, or gone by now
                _remove_leftover(leftover)


def _remove_leftover(leftover: Path) -> None:
    # O_NONBLOCK: somebody may have put a pipe here, which would wait for a writer.
    descriptor = os.open(leftover, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        if stat.S_ISREG(os.fstat(descriptor).st_mode) and _lock(descriptor, wait=False):
            leftover.unlink(missing_ok=True)
    finally:
        os.close(descriptor)


# ---- rights ----


def _adopt(descriptor: int, place: Path) -> int:
    """Give a new file owner and group of the old one, and keep it private; return the permissions that it will have.

    An old file passes on its permissions, or fewer of them, but never more. Without one, the new file keeps its own.
    """
    old, new = _status(place), os.fstat(descriptor)
    mode = stat.S_IMODE(new.st_mode if old is None else old.st_mode) & 0o777
    with suppress(OSError):  # file systems without permissions
        _set_mode(descriptor, _PRIVATE)
    if old is None or not hasattr(os, "fchown"):
        return mode
    if old.st_gid != new.st_gid and not _chown(descriptor, -1, old.st_gid):
        mode = mode & ~_GROUP | (mode & _OTHERS) << 3  # our group may do what all others may
    if old.st_uid != new.st_uid:
        _chown(descriptor, old.st_uid, -1)
    return mode


def _set_mode(descriptor: int, mode: int) -> None:
    if hasattr(os, "fchmod") and stat.S_IMODE(os.fstat(descriptor).st_mode) != mode:  # not on Windows
        os.fchmod(descriptor, mode)


def _chown(descriptor: int, user: int, group: int) -> bool:
    """Change the owner or the group of a file; return whether the system lets us."""
    try:
        os.fchown(descriptor, user, group)
    except OSError:
        return False
    return True


def _sync_folder(place: Path) -> None:
    """Write the new name to disk; warn if that fails, since the file itself is complete."""
    try:
        descriptor = os.open(place.parent, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    except OSError:  # a folder that must not be read, or Windows
        return
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            warn(f"{printable(place)} is written, but its folder could not be synced to disk: {error.strerror}")
    finally:
        os.close(descriptor)
