#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Print how long Chromium takes to open pages of "abtf report", until they list functions.

usage: page-time.py PAGE...

Medians of five runs, in seconds, minus those of an empty page: wall-clock time, CPU time of the page's
thread, CPU time of its process.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

EMPTY = '<!DOCTYPE html><title>empty</title><main id="main"><p>nothing</p></main>'
# after the next frame, when the list has been painted
LISTED = '''new Promise((done) => {
	const look = () => document.querySelector("#main > *") ?
		requestAnimationFrame(() => setTimeout(() => done(performance.now()))) : setTimeout(look, 1);
	look();
})'''


class Browser:
    """A Chromium that is controlled by JSON in pipes."""

    def __init__(self, profile):
        theirs, self.to = os.pipe()
        self.read, answers = os.pipe()

        def wire():
            a, b = os.dup(theirs), os.dup(answers)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            ['chromium', '--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
             '--user-data-dir=' + profile, '--remote-debugging-pipe', 'about:blank'],
            preexec_fn=wire, close_fds=False, stderr=subprocess.DEVNULL)
        os.close(theirs)
        os.close(answers)
        self.rest, self.nr = b'', 0

    def call(self, method, session=None, **params):
        self.nr += 1
        message = {'id': self.nr, 'method': method, 'params': params}
        if session:
            message['sessionId'] = session
        os.write(self.to, json.dumps(message).encode() + b'\0')
        while True:
            while b'\0' not in self.rest:
                more = os.read(self.read, 1 << 16)
                if not more:
                    sys.exit('Chromium ended')
                self.rest += more
            one, self.rest = self.rest.split(b'\0', 1)
            answer = json.loads(one)
            if answer.get('id') == self.nr:
                if 'error' in answer:
                    sys.exit(f'{method}: {answer["error"]}')
                return answer['result']


def measure(browser, page):
    url = pathlib.Path(page).resolve().as_uri()
    target = browser.call('Target.createTarget', url='about:blank')['targetId']
    session = browser.call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
    browser.call('Performance.enable', session, timeDomain='threadTicks')
    browser.call('Page.enable', session)
    browser.call('Page.navigate', session, url=url)
    shown = browser.call('Runtime.evaluate', session, expression=LISTED, awaitPromise=True)
    metrics = {m['name']: m['value'] for m in browser.call('Performance.getMetrics', session)['metrics']}
    browser.call('Target.closeTarget', targetId=target)
    return shown['result']['value'] / 1000, metrics['ThreadTime'], metrics['ProcessTime']


def medians(browser, page):
    return [statistics.median(column) for column in zip(*(measure(browser, page) for _ in range(5)))]


with tempfile.TemporaryDirectory() as directory:
    empty = pathlib.Path(directory) / 'empty.html'
    empty.write_text(EMPTY)
    chromium = Browser(directory + '/profile')
    nothing = medians(chromium, empty)
    for name in sys.argv[1:]:
        clock, thread, process = (a - b for a, b in zip(medians(chromium, name), nothing))
        print(f'{name}: {os.path.getsize(name)} bytes; {clock:.2f} s, {thread:.2f} s in the thread, '
              f'{process:.2f} s in the process')
    chromium.call('Browser.close')
    chromium.process.wait()
