"""The page as a picture: screenshot.py [--why] DIDEROTC FILE.png PROGRAM [ARGUMENT ...], for doc/view.png and, with
the last superstep of a pixel, doc/trace-view.png."""
import sys

from browser import Browser
from client import View

asks_why = sys.argv[1] == "--why"
diderotc, picture, program, *arguments = sys.argv[2 if asks_why else 1:]
view = View(diderotc, program, arguments=arguments)
page = Browser(1180, 760)
try:
    page.go(view.address)
    page.wait("document.body?.dataset.frame?.includes('last 1')")
    x, y = page.value("(() => { const r = document.getElementById('picture').getBoundingClientRect();"
                      "return [r.left + r.width / 2, r.top + r.height * 0.6]; })()")
    page.mouse("mouseMoved", x, y)
    page.wait("document.getElementById('readout').textContent.includes('position')")
    if asks_why:
        page.mouse("mousePressed", x, y, button="left", clickCount=1)
        page.mouse("mouseReleased", x, y, button="left", clickCount=1)
        page.wait("!!document.getElementById('trace').dataset.shown")
        page.value("(() => { const s = document.querySelector('#trace [name=moment]'); s.value = s.max;"
                   "s.dispatchEvent(new Event('input')); })()")
        page.value("document.querySelector('#trace .lines .update').scrollIntoView()")
    page.screenshot(picture)
finally:
    page.end()
    view.end()
