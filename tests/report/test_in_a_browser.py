"""The report in headless Chromium: no message on the console, all images drawn, and it prints.

Where no Chromium is installed these tests are skipped; the project's own machines have it.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import matplotlib as mpl
import pytest
from sklearn.datasets import load_digits

import foliation as fo

mpl.use("Agg")

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(BROWSER is None, reason="there is no Chromium")

# Written at the end of a copy of the page: what a user would see and a key would reach.
PROBE = """
<script>
window.addEventListener("load", () => {
  const images = [...document.images];
  const found = {
    images: images.length,
    drawn: images.filter(image => image.complete && image.naturalWidth > 0).length,
    unnamed: images.filter(image => !image.alt).length,
    wide: document.documentElement.scrollWidth > document.documentElement.clientWidth + 1,
    requests: performance.getEntriesByType("resource").filter(one => !one.name.startsWith("data:")).length,
    targets: [...document.querySelectorAll('a[href^="#"]')].every(link => document.querySelector(link.hash)),
    reached: [...document.querySelectorAll("a, summary, button")].every(one => { one.focus();
      return document.activeElement === one; }),
  };
  document.body.insertAdjacentHTML("beforeend", `<pre id="probe">${JSON.stringify(found)}</pre>`);
});
</script>
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    digits = load_digits()
    X, y = digits.images, digits.target
    forest = fo.ForestClassifier(20, projections="image", random_state=0).fit(X[:500], y[:500])
    return Path(forest.report(X[500:700], y[500:700], tmp_path_factory.mktemp("report") / "digits.html"))


def browse(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    assert BROWSER is not None
    options = ("--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", f"--user-data-dir={folder}")
    return subprocess.run([BROWSER, *options, *arguments], capture_output=True, text=True, timeout=120, check=True)


@pytest.mark.parametrize("width", [1280, 420], ids=["desktop", "phone"])
def test_it_opens_without_a_message_on_the_console(report: Path, tmp_path: Path, width: int) -> None:
    page = tmp_path / "page.html"
    page.write_text(report.read_text(encoding="utf-8").replace("</body>", f"{PROBE}</body>"), encoding="utf-8")
    done = browse(tmp_path / "user", f"--window-size={width},900", "--dump-dom", page.as_uri())
    assert "CONSOLE" not in done.stderr
    found = re.search(r'<pre id="probe">(\{.*?\})</pre>', done.stdout)
    assert found is not None
    probe = json.loads(found[1])
    assert probe["images"] == probe["drawn"] >= 4
    assert probe["unnamed"] == probe["requests"] == 0
    assert probe["targets"] and probe["reached"] and not probe["wide"]


def test_a_message_would_be_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<body><script>console.error('wrong')</script></body>")
    assert "CONSOLE" in browse(tmp_path / "user", "--dump-dom", page.as_uri()).stderr


def test_it_prints(report: Path, tmp_path: Path) -> None:
    paper = tmp_path / "report.pdf"
    browse(tmp_path / "user", f"--print-to-pdf={paper}", report.as_uri())
    pages = len(re.findall(rb"/Type\s*/Page\b", paper.read_bytes()))
    assert 2 <= pages <= 12


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="there is no pdftotext")
def test_no_page_of_paper_is_blank_and_no_heading_stands_alone(report: Path, tmp_path: Path) -> None:
    paper = tmp_path / "report.pdf"
    browse(tmp_path / "user", "--no-pdf-header-footer", f"--print-to-pdf={paper}", report.as_uri())
    told = subprocess.run(["pdftotext", "-layout", str(paper), "-"], capture_output=True, text=True, check=True).stdout
    pages = [[line.strip() for line in page.splitlines() if line.strip()] for page in told.split("\f")[:-1]]
    headings = re.findall(r"<h2[^>]*>(.*?)</h2>", report.read_text(encoding="utf-8"))
    assert all(page and page[-1] not in headings for page in pages)
