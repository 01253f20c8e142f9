"""The page of a view in a browser, as somebody uses it: its picture, mark, sliders and trace."""
import json
import time

from browser import PATIENCE, Browser, Late

PIXELS = """(() => { const c = document.getElementById("picture");
  return [c.width, c.height, [...c.getContext("2d").getImageData(0, 0, c.width, c.height).data].filter((v, k) => k % 4 < 3)]; })()"""
TRACE = "document.getElementById('trace')"


class Page(Browser):
    def whole(self, earlier=None):
        """Waits for a whole picture of the values that the controls have, later than that one; which it is."""
        self.wait("document.body?.dataset.frame?.includes('last 1') && document.body.dataset.isCurrent === 'true' &&"
                  " document.body.dataset.frame !== %s" % json.dumps(earlier))
        return self.value("document.body.dataset.frame")

    def pixels(self):
        """Width, height and components of the picture."""
        return self.value(PIXELS)

    def set_slider(self, name, stop):
        self.value("""(() => { const s = document.querySelector('fieldset[name=%s] input[type=range]');
          s.value = %s; s.dispatchEvent(new Event('input')); s.dispatchEvent(new Event('change')); })()""" % (name, stop))

    def put(self, name, value):
        self.value("(() => { const e = document.getElementById('%s'); e.value = '%s'; e.dispatchEvent(new Event('input')); })()" % (name, value))

    def placed(self, row, col, *sizes):
        """What is said about a pixel with its position. The page asks once, with little patience: then the cursor returns."""
        end = time.monotonic() + PATIENCE
        while True:
            self.mouse("mouseMoved", *self.of_pixel(row, col, *sizes))
            try:
                self.wait("document.getElementById('readout').textContent.includes('position')", 4)
                return self.value("document.getElementById('readout').textContent")
            except Late:
                if time.monotonic() > end:
                    raise
            self.mouse("mouseMoved", 2, 2)

    def traced(self, earlier):
        """Waits for another trace; which one, and its superstep."""
        self.wait("(%s.dataset.shown ?? '').split(' ')[0] > %d" % (TRACE, earlier))
        return int(self.value(TRACE + ".dataset.shown.split(' ')[0]"))

    def beside(self, line):
        return self.value("%s.querySelector('[data-line=\"%d\"] b').textContent" % (TRACE, line))

    def in_picture(self, x, y):
        """A place of the window; from 0 to 1 in the picture."""
        rect = self.value("(() => { const r = document.getElementById('picture').getBoundingClientRect();"
                          "return [r.left, r.top, r.width, r.height]; })()")
        return rect[0] + rect[2] * x, rect[1] + rect[3] * y

    def of_pixel(self, row, col, width=8, height=5):
        return self.in_picture((col + 0.5) / width, (row + 0.5) / height)

    def click(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)

    def marked(self):
        """The middle of the mark; None without one."""
        found = self.value("(() => { const m = document.getElementById('mark'), r = m.getBoundingClientRect();"
                           "return m.hidden ? null : [r.left + r.width / 2, r.top + r.height / 2]; })()")
        return found

    def is_marked(self, x, y):
        found = self.marked()
        return found and all(abs(a - b) <= 1 for a, b in zip(found, self.in_picture(x, y)))
