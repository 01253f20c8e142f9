"""The page as a picture: screenshot.py DIDEROTC FILE.png PROGRAM [ARGUMENT ...], for doc/view.png."""
import sys

from browser import Browser
from client import View

diderotc, picture, program, *arguments = sys.argv[1:]
view = View(diderotc, program, arguments=arguments)
page = Browser(1180, 760)
try:
    page.go(view.address)
    page.wait("document.body?.dataset.frame?.includes('last 1')")
    x, y = page.value("(() => { const r = document.getElementById('picture').getBoundingClientRect();"
                      "return [r.left + r.width / 2, r.top + r.height * 0.6]; })()")
    page.mouse("mouseMoved", x, y)
    page.screenshot(picture)
finally:
    page.end()
    view.end()
