#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A page of a report in a real browser: sorted, filtered, a row opened.

usage: page.py CHROMIUM PAGE [--shots DIR]

Talks to Chromium by its DevTools protocol over two pipes: JSON messages that
end in NUL, commands on the browser's descriptor 3, answers on 4. Prints TAP;
exit status 0: all passed, 1: a test failed, 3: there is no browser to talk to.
What the page has to hold is said in page.sh, which makes it.
"""
import base64
import json
import os
import select
import subprocess
import sys
import tempfile
import time


class Browser:
    def __init__(self, chromium, profile):
        here_out, there_in = os.pipe()[::-1]
        there_out, here_in = os.pipe()[::-1]
        self.out, self.inp, self.rest, self.last = here_out, here_in, b"", 0
        self.events = []

        def give_pipes():
            # By way of numbers that are free, since 3 and 4 may be among the pipes.
            high_in, high_out = os.dup2(there_in, 198), os.dup2(there_out, 199)
            os.dup2(high_in, 3)
            os.dup2(high_out, 4)

        self.process = subprocess.Popen(
            [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-extensions", "--remote-debugging-pipe", "--user-data-dir=" + profile,
             "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=give_pipes, close_fds=False)
        os.close(there_in)
        os.close(there_out)
        target = self.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        self.session = None
        self.session = self.call("Target.attachToTarget",
                                 {"targetId": target, "flatten": True})["sessionId"]
        self.call("Page.enable")
        self.call("Runtime.enable")
        self.call("Network.enable")

    session = None

    def message(self, seconds):
        end = time.monotonic() + seconds
        while b"\0" not in self.rest:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.inp], [], [], left)[0]:
                raise TimeoutError("the browser says nothing")
            more = os.read(self.inp, 1 << 20)
            if not more:
                raise EOFError("the browser is gone")
            self.rest += more
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, params=None):
        self.last += 1
        message = {"id": self.last, "method": method, "params": params or {}}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message(60)
            if answer.get("id") != self.last:
                self.events.append(answer)
                continue
            if "error" in answer:
                raise RuntimeError(method + ": " + answer["error"]["message"])
            return answer["result"]

    def open(self, url, width, height):
        self.call("Emulation.setDeviceMetricsOverride",
                  {"width": width, "height": height, "deviceScaleFactor": 1,
                   "mobile": width < 600})
        self.call("Page.navigate", {"url": url})
        end = time.monotonic() + 60
        while self.ask("document.readyState") != "complete":
            if time.monotonic() > end:
                raise TimeoutError(url + " does not load")
            time.sleep(0.05)

    def ask(self, expression):
        result = self.call("Runtime.evaluate", {"expression": expression, "returnByValue": True})
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"])[:400])
        return result["result"].get("value")

    def click(self, selector):
        """With the mouse, where the middle of the element is."""
        at = self.ask("(() => { const e = document.querySelector(%s); if (!e) return null;"
                      "e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
                      "return [r.x + r.width / 2, r.y + r.height / 2]; })()" % json.dumps(selector))
        if at is None:
            raise RuntimeError("no element " + selector)
        for kind in "mousePressed", "mouseReleased":
            self.call("Input.dispatchMouseEvent", {"type": kind, "x": at[0], "y": at[1],
                                                   "button": "left", "clickCount": 1})

    def type(self, selector, text):
        self.click(selector)
        self.ask("document.querySelector(%s).select()" % json.dumps(selector))
        self.call("Input.insertText", {"text": text})

    def choose(self, selector, value):
        self.ask("(() => { const e = document.querySelector(%s); e.value = %s;"
                 "e.dispatchEvent(new Event('change')); })()" % (json.dumps(selector),
                                                                 json.dumps(value)))

    def shoot(self, path):
        shot = self.call("Page.captureScreenshot", {"format": "png"})
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
        except (OSError, EOFError, TimeoutError, RuntimeError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Tap:
    def __init__(self):
        self.n = self.failed = 0

    def check(self, name, found, wanted):
        self.n += 1
        if found == wanted:
            print("ok %d - %s" % (self.n, name))
        else:
            self.failed += 1
            print("# found  %r\n# wanted %r" % (found, wanted))
            print("not ok %d - %s" % (self.n, name))


PART = "#part-veristat "
NAMES = ("[...document.querySelectorAll('%s.rows > tbody > tr:not(.detail) > td:first-child')]"
         ".slice(0, %d).map(e => e.textContent)")
COUNT = "document.querySelector('%s.count').textContent" % PART


def names(browser, n):
    return browser.ask(NAMES % (PART, n))


def look_at_tables(browser, tap):
    tap.check("all rows are counted", browser.ask(COUNT), "3003 of 3003 rows")
    tap.check("not all of them are drawn at once", len(names(browser, 5000)), 200)
    tap.check("rows come as recorded", names(browser, 2), ["object-0.bpf.o prog", "object-1.bpf.o prog"])

    # Duration is the first column of numbers: rises before falls.
    column = PART + ".rows thead th:nth-child(3) button"
    browser.click(column)
    tap.check("a click sorts by change", names(browser, 2), ["object-2999.bpf.o prog", "object-2998.bpf.o prog"])
    browser.click(column)
    tap.check("another one turns the order", names(browser, 1), ["object-500.bpf.o prog"])
    tap.check("the head says how it is sorted",
              browser.ask("document.querySelector('%s.rows thead th:nth-child(3)').getAttribute('aria-sort')" % PART),
              "ascending")
    browser.click(PART + ".turn")
    tap.check("the order turns without heads, too", names(browser, 1), ["object-2999.bpf.o prog"])
    browser.choose(PART + ".by", "A")
    tap.check("numbers of a side sort as numbers", names(browser, 2), ["object-2999.bpf.o prog", "object-2998.bpf.o prog"])

    browser.type(PART + ".find", "OBJECT-29 prog")
    tap.check("words filter names", browser.ask(COUNT), "111 of 3003 rows")
    browser.type(PART + ".find", "")
    browser.choose(PART + ".verdicts", browser.ask(
        "[...document.querySelectorAll('%s.verdicts option')].find(o => o.textContent.startsWith('worse')).value" % PART))
    tap.check("verdicts filter rows", browser.ask(COUNT), "10 of 3003 rows")
    browser.choose(PART + ".verdicts", "")


def open_a_row(browser, tap):
    browser.type(PART + ".find", "<img")
    tap.check("a name is text, whatever it is", names(browser, 5), ["<img src=x onerror=document.title=666> <script>"])
    tap.check("... and makes no element", browser.ask("document.querySelectorAll('img').length"), 0)
    browser.type(PART + ".find", "object-2999")
    browser.click(PART + ".rows tbody td button")
    detail = "document.querySelector('%s.detail')" % PART
    tap.check("a row opens", browser.ask("!!" + detail), True)
    tap.check("it has all numbers",
              browser.ask("[...%s.querySelectorAll('tr')].map(r => r.textContent).find(t => t.startsWith('Duration'))" % detail),
              "Duration (k instructions)30003300+10.00 %worse")
    tap.check("it shows each sample", browser.ask("%s.querySelectorAll('svg circle').length" % detail), 8)
    tap.check("it shows phases", browser.ask("%s.querySelectorAll('.phases .bars').length" % detail), 2)
    tap.check("it shows who allocates", browser.ask(
        "[...%s.querySelectorAll('tr')].some(r => r.textContent === 'push_stack12127681536')" % detail), True)
    tap.check("it shows code beside code", browser.ask(
        "[...%s.querySelectorAll('.code tr')].map(r => [...r.children].map(c => c.textContent).join('|')).join('\\n')" % detail),
        "base|patched\n... 3 lines that are the same\n3: r3 = 3|3: r3 = 3\n4: r4 = 4|4: r4 = 4\n"
        "5: r5 = 5|5: r5 = 5\n6: r6 = 6|6: r6 = 6\n7: r7 = 7|7: <b>r7</b> = 0\n8: exit|8: exit")
    browser.click(PART + ".rows tbody td button")
    tap.check("it closes again", browser.ask("!!" + detail), False)
    browser.type(PART + ".find", "")


def look_at_growth(browser, tap):
    browser.choose(PART + ".growth-metric", "duration")
    tap.check("a curve for each side", browser.ask("document.querySelectorAll('%s.growth path').length" % PART), 2)
    tap.check("with its exponents", browser.ask(
        "document.querySelector('%s.growth tbody tr').textContent" % PART), "object prog0.9920.992")


def is_too_wide(browser):
    return browser.ask("document.documentElement.scrollWidth > document.documentElement.clientWidth")


def run(browser, page, shots, tap):
    url = "file://" + os.path.abspath(page)
    browser.open(url, 1200, 900)
    look_at_tables(browser, tap)
    open_a_row(browser, tap)
    look_at_growth(browser, tap)
    tap.check("nothing was run that a name said", browser.ask("document.title"), "A = base, B = patched")
    tap.check("it fits a desktop", is_too_wide(browser), False)
    if shots:
        browser.shoot(os.path.join(shots, "desktop.png"))
    browser.open(url, 390, 800)
    tap.check("it fits a phone", is_too_wide(browser), False)
    if shots:
        browser.shoot(os.path.join(shots, "phone.png"))
    browser.ask("dispatchEvent(new Event('beforeprint'))")
    tap.check("on paper all rows are there", len(names(browser, 5000)), 3003)
    fetched = {e["params"]["request"]["url"] for e in browser.events
               if e.get("method") == "Network.requestWillBeSent"}
    tap.check("nothing but the page was fetched", sorted(fetched - {"about:blank"}), [url])
    errors = [e for e in browser.events if e.get("method") == "Runtime.exceptionThrown"]
    tap.check("no script failed", errors, [])


def main(args):
    if len(args) not in (2, 4) or (len(args) == 4 and args[2] != "--shots"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="bpf-ab-page-") as profile:
        try:
            browser = Browser(args[0], profile)
        except (OSError, EOFError, TimeoutError, RuntimeError) as why:
            print("page.py: no browser: %s" % why, file=sys.stderr)
            return 3
        try:
            run(browser, args[1], args[3] if len(args) == 4 else None, tap)
        finally:
            browser.close()
    print("1..%d" % tap.n)
    return 1 if tap.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
