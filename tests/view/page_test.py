"""The page in a browser. Whatever it shows must be what the executable makes of the values in its address."""
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse

import browser
from checks import check, finish
from client import View
from page import TRACE, Page
from png import read_png
from programs import read_nrrd, run_alone
from small import COLUMNS, ENDLESS, GLASS, HALVES, LINE, NUMBERS, PLACES, POINTS, SOLID

diderotc, root, folder = sys.argv[1:4]
if not browser.find():
    print("skipped: there is no chromium (on Debian: apt-get install chromium)")
    sys.exit(0)
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
SIGHT = os.path.join(folder, "sight.diderot")
shutil.copy(os.path.join(root, "tests/view/sight.diderot"), SIGHT)
page = Page()


def given():
    """Options of the program for what the page's address says."""
    words = {}
    for name, word in urllib.parse.parse_qsl(page.value("location.hash").lstrip("#")):
        words.setdefault(name, []).append(word)
    return [word for name, values in words.items() if name[0] != "@" for word in ["-" + name, *values]]


def alone(program=SIGHT):
    with tempfile.TemporaryDirectory() as empty:
        return run_alone(diderotc, program, empty, *given())


def bytes_of(values):
    return [int(255 * min(1, max(0, v)) + 0.5) for v in values]


def same_picture(what):
    shape, values = alone()["rgb"]
    width, height, pixels = page.pixels()
    check([height, width] == shape[:2], what, shape, width, height)
    wrong = sum(abs(a - b) > 0 for a, b in zip(pixels, bytes_of(values)))
    check(wrong == 0 and len(pixels) == len(values), what, "%d components differ" % wrong)


def loads():
    number = page.whole()
    same_picture("as the program has it")
    check(page.value("document.title") == "sight.diderot", "title")
    check([urllib.parse.urlsplit(url).netloc for url in page.requests() if not url.startswith("data:")]
          == ["127.0.0.1:%d" % view.port] * len([url for url in page.requests() if not url.startswith("data:")]),
          "nothing from elsewhere", page.requests())
    check(page.complaints() == [], page.complaints())
    return number


def moves_a_slider(number):
    # On a machine with other work the complete run, which begins after a while, could overtake the preview.
    page.value("""(() => { window.seen = []; const later = window.setTimeout, since = performance.now();
      new MutationObserver(() => seen.push([document.body.dataset.frame, performance.now()]))
        .observe(document.body, { attributes: true, attributeFilter: ['data-frame'] });
      window.setTimeout = (act, ms) => later(function held() { if (ms > 0 && seen.length === 0 && performance.now() < since + 20000) later(held, 5); else act(); }, ms); })()""")
    begin = page.value("""(() => { const s = document.querySelector('fieldset[name=weight] input[type=range]');
      s.value = 260; const now = performance.now(); s.dispatchEvent(new Event('input')); return now; })()""")
    number = page.whole(number)
    seen = page.value("seen")
    check(len(seen) >= 2 and seen[0][0].endswith("last 4") and seen[-1][0].endswith("last 1"), "a preview, then all", seen)
    print("slider to preview %.0f ms, to all %.0f ms" % (seen[0][1] - begin, seen[-1][1] - begin))
    words = given()
    check(words[0] == "-weight" and abs(float(words[1]) / (0.01 * 1e4 ** (260 / 400)) - 1) < 1e-5, "a logarithmic scale", words)
    same_picture("another weight")
    page.set_slider("rows", 33)
    number = page.whole(number)
    same_picture("fewer rows")
    page.value("document.querySelector('fieldset[name=isDark] input').click()")
    number = page.whole(number)
    same_picture("dark")
    page.value("(() => { const p = document.querySelector('fieldset[name=colour] input[type=color]'); p.value = '#3366ff';"
               "p.dispatchEvent(new Event('change')); })()")
    number = page.whole(number)
    same_picture("a colour")
    return number


def middle():
    return page.value("(() => { const r = document.getElementById('picture').getBoundingClientRect();"
                      "return [r.left + r.width / 2, r.top + r.height / 2]; })()")


def turns_the_camera(number):
    x, y = middle()
    before = dict(zip(given()[::1], given()))
    page.drag((x, y), (x + 90, y - 40))
    number = page.whole(number)
    words = given()
    check("-camEye" in words and "-camAt" not in words and "-camEye" not in before, words)
    at = words.index("-camEye")
    eye = [float(word) for word in words[at + 1:at + 4]]
    check(abs(sum(v * v for v in eye) - 21) < 1e-3, "as far from the ball as before", eye)
    same_picture("turned")
    page.mouse("mouseWheel", x, y, deltaX=0, deltaY=-100)
    number = page.whole(number)
    check("-fov" in given() and float(given()[given().index("-fov") + 1]) < 40, "the wheel", given())
    same_picture("nearer")
    page.value("document.getElementById('frame').focus()")
    page.key("ArrowLeft")
    number = page.whole(number)
    same_picture("by a key")
    return number


def reads_out():
    x, y = middle()
    page.mouse("mouseMoved", x, y)
    text = page.value("document.getElementById('readout').textContent")
    col, row = map(int, text.split()[1].strip(",").split(","))  # as --trace wants them
    outputs = alone()
    (_, width, _), rgb = outputs["rgb"]
    expected = {"depth": outputs["depth"][1][row * width + col:][:1], "rgb": rgb[3 * (row * width + col):][:3]}
    for line in text.split("\n")[1:]:
        name, words = line.split(" = ")
        check(all(abs(float(a) - b) < 1e-5 * max(1, abs(b)) for a, b in zip(words.split(), expected[name])), line, expected)


def points_by_keys():
    """From the middle, a pixel to the right and one down."""
    page.value("document.getElementById('frame').focus()")
    x, y = middle()
    page.mouse("mouseMoved", x, y)
    before = page.value("document.getElementById('readout').textContent.match(/\\d+/g).slice(0, 2).map(Number)")
    for key in ("ArrowRight", "ArrowDown"):
        page.key(key, modifiers=8)
    after = page.value("document.getElementById('readout').textContent.match(/\\d+/g).slice(0, 2).map(Number)")
    check(after == [before[0] + 1, before[1] + 1], "pixels by keys", before, after)
    check(page.value("!document.getElementById('pointer').hidden"), "and which one is shown")
    eye = page.value("document.querySelector('fieldset[name=fov] input[type=number]').value")
    page.key("PageUp")
    now = page.value("document.querySelector('fieldset[name=fov] input[type=number]').value")
    check(abs(float(now) * 1.1 / float(eye) - 1) < 1e-3, "nearer by a key", eye, now)
    page.mouse("mouseMoved", 2, 2)


def until(is_so):
    end = time.monotonic() + browser.PATIENCE
    while not is_so() and time.monotonic() < end:
        time.sleep(0.01)


def downloaded(name):
    n = page.n_downloaded()
    page.value("document.getElementById('%s').click()" % name)
    until(lambda: page.n_downloaded() > n)
    return os.path.join(folder, "saved", "sight." + name)


def saves_pictures():
    page.downloads(os.path.join(folder, "saved"))
    shape, pixels = read_png(downloaded("png"))
    expected = alone()["rgb"]
    check(shape == expected[0][:2] and pixels == bytes_of(expected[1]), "PNG")
    check(read_nrrd(downloaded("nrrd")) == expected, "nrrd")


def copied(cwd):
    """What the executable makes by the command that one key copies."""
    page.value("Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (t) => { window.copy = t; } } });"
               "window.copy = null; document.activeElement.blur()")
    page.key("c")
    page.wait("window.copy !== null")
    words = shlex.split(page.value("window.copy"))
    check(words[:2] == ["diderotc", "run"], words)
    subprocess.run([diderotc, "run", "--warnings=none", *words[2:]], cwd=cwd, check=True, capture_output=True)
    return words


def copies_the_command():
    with tempfile.TemporaryDirectory() as empty:
        words = copied(empty)
        check(read_nrrd(os.path.join(empty, "rgb.nrrd")) == alone()["rgb"] and "-weight" in words, words)


def saves_a_mistake(number):
    with open(SIGHT) as file:
        text = file.read()
    before = page.pixels()
    with open(SIGHT, "w") as file:
        file.write(text.replace("max(0.0, normal[2])", "max(0.0, normal)"))
    mistakes = "document.getElementById('mistakes').textContent"  # those of half a text, perhaps, at first
    page.wait("document.body.dataset.phase === 'broken' && %s.includes('sight.diderot:30')" % mistakes)
    check("^" in page.value(mistakes), "carets", page.value(mistakes))
    check(page.value("!document.getElementById('mistakes').hidden") and page.pixels() == before, "over the old picture")
    begin = time.monotonic()
    with open(SIGHT, "w") as file:
        file.write(text.replace("input bool isDark", "input real more (\"added\") = 0.125;\ninput bool isDark")
                   .replace("(0.0 if isDark", "more + (0.0 if isDark"))
    number = page.whole(number)
    print("saved to a new picture %.0f ms" % (1000 * (time.monotonic() - begin)))
    check(page.value("document.getElementById('mistakes').hidden"), "no mistakes")
    check(page.value("!!document.querySelector('fieldset[name=more]')") and "-weight" in given(), "other controls, values kept")
    same_picture("mended")
    page.reload()
    page.whole()
    check("-weight" in given() and "-camEye" in given(), "the address has all values", given())
    same_picture("from its address")


def steps():
    program = os.path.join(root, "examples/reaction/reaction.diderot")
    arguments = ["-width", "24", "-height", "18", "-l", "40"]
    with tempfile.TemporaryDirectory() as empty:
        shape, values = run_alone(diderotc, program, empty, *arguments)["rgb"]
    other = View(diderotc, program, arguments=arguments)
    page.go(other.address)
    number = page.whole()
    check(page.pixels()[2] == bytes_of(values) and shape == [18, 24, 3], "all steps at once")
    page.value("document.getElementById('steps').click()")
    page.wait("document.getElementById('status').textContent.startsWith('step 0,')")
    for k in range(1, 4):
        page.value("document.getElementById('step').click()")
        page.wait("document.getElementById('status').textContent.startsWith('step %d,')" % k)
    # Each letter is answered by a superstep. The page itself pauses: from here it could be too late.
    step = "Number(document.getElementById('status').textContent.match(/\\d+/)?.[0])"
    page.value("""(() => { window.letters = %s; const ask = fetch, play = document.getElementById('play');
      window.fetch = (path, more) => { letters += path === 'step'; return ask(path, more); };
      new MutationObserver((_, self) => { if (%s > 8) { self.disconnect(); play.click(); } })
        .observe(document.getElementById('status'), { childList: true });
      play.click(); })()""" % (step, step))
    page.wait("document.getElementById('play').textContent === 'play' && %s > 8 && %s === letters" % (step, step))
    paused = page.value(step)
    page.value("(() => { window.isLater = false; setTimeout(() => { isLater = true; }, 300); })()")  # several frames
    page.wait("isLater")
    check(page.value(step) == paused == page.value("letters"), "pauses", paused)
    page.value("document.getElementById('end').click()")
    page.whole(number)
    check(page.pixels()[2] == bytes_of(values), "the same by steps")
    number = page.value("document.body.dataset.frame")
    page.set_slider("width", 20)
    page.whole(number)
    with tempfile.TemporaryDirectory() as empty:
        words = copied(empty)
        check(read_nrrd(os.path.join(empty, "rgb.nrrd"))[0] == [18, 20, 3] and words[-6:] == ["-height", "18", "-l", "40", "-width", "20"], words)
    check(other.end() == 0, "ends")


def says_why():
    path = os.path.join(folder, "halves.diderot")
    with open(path, "w") as file:
        file.write(HALVES)
    other = View(diderotc, path)
    page.go(other.address)
    number = page.whole()
    page.click(*page.of_pixel(2, 5))
    shown = page.traced(0)
    first = page.value(TRACE + ".dataset.took")
    check(page.is_marked(5.5 / 8, 2.5 / 5), "the pixel is marked", page.marked(), page.of_pixel(2, 5))
    u, steps = 3 + 0.5 * 5 + 8 * 2, 0  # all of them exact
    while u >= 1:
        steps += 1
        check(page.beside(8) == "isSmall = false" and page.beside(9) == "isSmall: false", steps, page.beside(8), page.beside(9))
        check(page.beside(3) == "v = %g; returns %g" % (u, u / 2), steps, page.beside(3))
        check(page.beside(10) == "calls half; u = %g" % (u / 2) and page.beside(11) == "n = %d" % steps, steps, page.beside(10), page.beside(11))
        check(page.value(TRACE + ".dataset.shown") == "%d %d" % (shown, steps), "the superstep")
        page.value(TRACE + ".querySelector('[name=ahead]').click()")
        u /= 2
    check("isSmall: true" in page.beside(9) and "stabilize" in page.beside(9) and page.beside(10) == "", "how it ended", page.beside(9))
    title = page.value(TRACE + ".querySelector('.title').textContent")
    check(title == "cell #21 (5, 2): stable in superstep %d" % (steps + 1), title)
    check(page.value(TRACE + ".querySelector('[name=ahead]').disabled"), "there is no superstep more")
    page.value("document.activeElement.blur()")
    page.key(",")
    check(page.beside(11) == "n = %d" % steps, "back by a key", page.beside(11))
    hover = page.value("(() => { const s = [...%s.querySelectorAll('[data-line=\"5\"] span')].find((e) => e.textContent === 'u');"
                       "s.dispatchEvent(new MouseEvent('mouseover', { bubbles: true })); return s.title; })()" % TRACE)
    check(hover == "u = %g (superstep %d)" % (u, steps), "a name under the cursor", hover)
    while not page.value(TRACE + ".querySelector('[name=back]').disabled"):
        page.key(",")
    check(page.beside(5) == "u = 21.5" and "col = 5" in page.beside(4) and page.beside(2) == "scale = 1", page.beside(5), page.beside(4), page.beside(2))
    page.value("(() => { const s = %s.querySelector('[name=moment]'); s.value = s.max; s.dispatchEvent(new Event('input')); })()" % TRACE)
    check(page.value(TRACE + ".dataset.shown") == "%d %d" % (shown, steps + 1), "the last by the slider")
    page.value("(() => { const s = %s.querySelector('[name=moment]'); s.value = 0; s.dispatchEvent(new Event('input')); })()" % TRACE)
    page.mouse("mouseMoved", *page.of_pixel(1, 3))
    page.key("w")
    shown = page.traced(shown)
    check(page.beside(5) == "u = 12.5", "another pixel by a key, in the same superstep", page.beside(5))
    check(page.is_marked(3.5 / 8, 1.5 / 5), "the pixel is marked", page.marked(), page.of_pixel(1, 3))
    print("click to trace %s ms with its compilation, then %s ms" % (first, page.value(TRACE + ".dataset.took")))
    page.set_slider("scale", 400)  # to 4
    page.whole(number)
    shown = page.traced(shown)
    check(page.beside(5) == "u = 50" and page.beside(2) == "scale = 4", "the trace follows the inputs", page.beside(5), page.beside(2))
    for strand, message in (("8,0", "the grid has the sizes 8, 5"), ("#40", "there is no strand #40")):
        page.value("(() => { const b = %s.querySelector('[name=strand]'); b.value = '%s'; b.dispatchEvent(new Event('change')); })()"
                   % (TRACE, strand))
        shown = page.traced(shown)
        said = page.value(TRACE + ".querySelector('.said').textContent")
        check(message in said and "\n" not in said, strand, said)
    with open(path, "w") as file:
        file.write(HALVES.replace("0.5*v", "0.25*v"))
    page.click(*page.of_pixel(0, 0))
    shown = page.traced(shown)
    page.wait(TRACE + ".querySelector('.title').textContent.startsWith('cell #0 (0, 0): stable')")
    page.wait(TRACE + ".querySelector('[data-line=\"3\"] code').textContent.includes('0.25')")
    page.key("Escape")
    check(page.value(TRACE + ".hidden") and page.marked() is None, "closed")
    check(other.end() == 0, "ends")


def shown(name, text, *arguments):
    path = os.path.join(folder, name + ".diderot")
    with open(path, "w") as file:
        file.write(text)
    other = View(diderotc, path, arguments=arguments)
    page.go(other.address)
    page.whole()
    check(page.value("document.title") == name + ".diderot", name)
    return other


def shows_all_shapes():
    solid = shown("solid", SOLID)
    for name, value in (("low", 0), ("high", 255), ("slice", 2)):
        page.put(name, value)
    width, height, pixels = page.pixels()
    check((width, height) == (5, 4), width, height)
    check(pixels[::3] == [200 + 10 * y + x for y in range(4) for x in range(5)], "a slice", pixels[::3])
    page.mouse("mouseMoved", *middle())
    check("v = 222" in page.value("document.getElementById('readout').textContent"), "its values")
    for name, value in (("output", "w"), ("low", 0), ("high", 255)):
        page.put(name, value)
    check(page.pixels()[2][::3] == [5 * x for _ in range(4) for x in range(5)], "lengths of vectors")
    page.put("low", 0)
    page.put("high", 20)
    page.put("map", "viridis")
    pixels = page.pixels()[2]
    check([pixels[k:k + 3] for k in (0, 6, 12)] == [[68, 1, 84], [33, 145, 140], [253, 231, 37]], "viridis", pixels[:15])
    for name, value in (("map", "gray"), ("high", 255)):
        page.put(name, value)
    page.put("gamma", 1)
    check(page.pixels()[2][3] == int(255 * (5 / 255) ** 0.5 + 0.5), "gamma")
    solid.end()
    glass = shown("glass", GLASS)
    page.put("behind", "#0064c8")
    pixels = page.pixels()[2]
    expected = [int(255 * 0.8 * a + b * (1 - a) + 0.5) for a in (0, 0.25, 0.5, 0.75, 1) for b in (0, 100, 200)]
    check(pixels == expected, "opacity over a background", pixels, expected)
    page.put("output", "level")
    page.key("a")
    ends = [page.value("document.getElementById('%s').value" % name) for name in ("low", "high")]
    check(ends == ["-2", "6"], "the range is fitted", ends)
    bars = page.value("(() => { const c = document.getElementById('histogram'), d = c.getContext('2d').getImageData(0, c.height - 1, c.width, 1).data;"
                      "return [...Array(c.width).keys()].filter((x) => d[4 * x + 3] > 0); })()")
    check(len(bars) == 10 and bars[0] == 0 and bars[-1] == 255, "a bar for each of five values", bars)
    before = page.value("document.getElementById('picture').getBoundingClientRect().width")
    for _ in range(8):
        page.key("+")
    now = page.value("document.getElementById('picture').getBoundingClientRect().width")
    check(now == 5 * 16 and before > now, "zoom", before, now)
    glass.end()
    line = shown("line", LINE)
    page.mouse("mouseMoved", *middle())
    check("y = 25" in page.value("document.getElementById('readout').textContent"), "a curve")
    line.end()
    points = shown("points", POINTS)
    pixels = page.pixels()[2]
    green = sum(pixels[k:k + 3] == [0, 255, 0] for k in range(0, len(pixels), 3))
    check(abs(green - 9 * 16) <= 9 * 9, "nine points of 4 x 4", green)
    place = 0.05 + 0.9 * 7 / 9, 0.95 - 0.9 * 7 / 9  # of the strand born as #7, the seventh of those that are left
    page.click(*page.in_picture(*place))
    page.wait(TRACE + ".querySelector('.title').textContent.startsWith('point #7: stable')")
    check(page.is_marked(*place), "it is marked", page.marked(), page.in_picture(*place))
    page.mouse("mouseMoved", *page.in_picture(*place))
    check(page.value("document.getElementById('readout').textContent").startswith("strand #7"), "its name")
    page.key("Escape")
    points.end()
    numbers = shown("numbers", NUMBERS)
    text = page.value("document.getElementById('numbers').textContent")
    check("no picture" in text and "9: square 81" in text, text)
    numbers.end()


def says_where():
    image = os.path.join(folder, "columns.nrrd")
    with open(image, "w") as file:
        file.write(COLUMNS)
    other = shown("places", PLACES, "-img", image)
    for row, col in ((1, 2), (3, 4)):
        text = page.placed(row, col, 5, 4)
        check(text == "strand %d,%d, world position [5, %d]\nbest = 5" % (col, row, 2 * row), text)
    check(page.value(TRACE + ".hidden"), "nobody asked why")
    page.mouse("mouseMoved", 2, 2)
    check(page.value("document.getElementById('readout').textContent") == "", "none without a pixel")
    other.end()
    other = shown("places", PLACES.replace("real best = 0.0;", "real best = 0.0;\n   vec2 pos = [0.0, 0.0];")
                  .replace("t += 0.5;", "t += 0.5; pos = [t, 7.0];"), "-img", image)
    text = page.placed(1, 2, 5, 4)
    check(text.startswith("strand 2,1, world position [3, 7]\n"), "a variable pos", text)
    page.mouse("mouseMoved", 2, 2)
    other.end()


def descendants(process):
    listed = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True).stdout
    parents = [tuple(map(int, line.split())) for line in listed.splitlines()]
    found = {process}
    while True:
        more = {pid for pid, parent in parents if parent in found} - found
        if not more:
            return found - {process}
        found |= more


def asks_for_an_image():
    path = os.path.join(folder, "endless.diderot")
    with open(path, "w") as file:
        file.write(ENDLESS)
    with open(os.path.join(folder, "ramp.nrrd"), "w") as file:
        file.write("NRRD0004\ntype: float\ndimension: 1\nsizes: 4\nspace dimension: 1\nspace directions: (1)\n"
                   "space origin: (0)\nencoding: ascii\n\n1 2 4 8\n")
    other = View(diderotc, path)
    page.go(other.address)
    page.wait("!!document.querySelector('fieldset[name=img].missing')")
    check("input \"img\"" in page.value("document.getElementById('mistakes').textContent"), "it is asked for")
    page.wait("[...document.querySelectorAll('datalist option')].some((o) => o.value === 'ramp.nrrd')")
    page.value("(() => { const b = document.querySelector('fieldset[name=img] input'); b.value = 'ramp.nrrd';"
               "b.dispatchEvent(new Event('change')); })()")
    until(lambda: len(descendants(other.process.pid)) >= 2)
    check(len(descendants(other.process.pid)) == 2, "it runs")
    page.go("about:blank")
    until(lambda: len(descendants(other.process.pid)) <= 1)
    check(len(descendants(other.process.pid)) == 1, "the run stops when the page goes")
    check(other.end() == 0, "ends")


try:
    view = View(diderotc, SIGHT)
    page.go(view.address)
    last = turns_the_camera(moves_a_slider(loads()))
    reads_out()
    points_by_keys()
    last = page.whole(last)
    saves_pictures()
    copies_the_command()
    saves_a_mistake(last)
    check(view.end() == 0, "ends")
    steps()
    says_why()
    shows_all_shapes()
    says_where()
    asks_for_an_image()
    complaints = [text for text in page.complaints() if "net::ERR_" not in text]  # of views that have ended
    check(complaints == [], complaints)
finally:
    page.end()
finish()
