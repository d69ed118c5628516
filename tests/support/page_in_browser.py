# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens a page of conf2vtk --html in headless Chromium and uses it; prints rows `what|ok or FAILED|figure`.

Usage: page_in_browser.py PAGE.html MOVING [SCREENSHOT.png]. MOVING: how many bodies move by forces, the last ones.
Speaks the DevTools protocol over a pipe, so nothing beside Chromium is needed. Run it in a network namespace of its own.
"""
import base64, json, os, shutil, subprocess, sys, tempfile, time

page, moving = os.path.abspath(sys.argv[1]), int(sys.argv[2])
profile = tempfile.mkdtemp()
to_read, to_write = os.pipe()  # ours to Chromium
from_read, from_write = os.pipe()  # Chromium's to us


def plumb():
    # Chromium wants descriptors 3 and 4; out of the way first, whatever numbers the pipes have.
    a, b = os.dup2(to_read, 30), os.dup2(from_write, 31)
    os.dup2(a, 3)
    os.dup2(b, 4)


browser = subprocess.Popen(
    ["chromium", "--headless", "--no-sandbox", "--remote-debugging-pipe", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
     "--window-size=1200,800", "--user-data-dir=" + profile, "--no-first-run", "--disable-background-networking",
     "--host-resolver-rules=MAP * ~NOTFOUND", "about:blank"],
    preexec_fn=plumb, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
os.close(to_read)
os.close(from_write)
waiting, events, number, session = b"", [], 0, None


def message():
    global waiting
    while b"\0" not in waiting:
        more = os.read(from_read, 1 << 20)
        if not more:
            raise SystemExit("Chromium ended")
        waiting += more
    one, waiting = waiting.split(b"\0", 1)
    return json.loads(one)


def ask(method, **parameters):
    global number
    number += 1
    request = {"id": number, "method": method, "params": parameters}
    if session:
        request["sessionId"] = session
    os.write(to_write, json.dumps(request).encode() + b"\0")
    while True:
        answer = message()
        if answer.get("id") == number:
            if "error" in answer:
                raise SystemExit(method + ": " + answer["error"]["message"])
            return answer["result"]
        events.append(answer)


def run(script):
    answer = ask("Runtime.evaluate", expression="(async () => {" + script + "})()", awaitPromise=True, returnByValue=True)
    if "exceptionDetails" in answer:
        raise SystemExit("in the page: " + json.dumps(answer["exceptionDetails"])[:500])
    return answer["result"].get("value")


def click(x, y):
    for kind in ("mousePressed", "mouseReleased"):
        ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)


def row(what, good, figure=""):
    print(f"{what}|{'ok' if good else 'FAILED'}|{figure}")


try:
    target = ask("Target.createTarget", url="about:blank")["targetId"]
    session = ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    for part in ("Runtime", "Log", "Page", "Network"):
        ask(part + ".enable")
    loaded, loads = float("inf"), 0
    while loads < 5 and loaded >= 2000:  # the best of five: other work on the machine is no property of the page
        loads += 1
        ask("Page.navigate", url="file://" + page)
        for _ in range(600):
            time.sleep(0.1)
            if run("return !!document.documentElement && document.documentElement.dataset.ready === 'yes'"):
                break
        else:
            row("the page becomes ready", False, json.dumps([e for e in events if "xception" in json.dumps(e)])[:300])
            raise SystemExit(0)
        loaded = min(loaded, run("return performance.getEntriesByName('ready')[0].startTime"))
    size = os.path.getsize(page) / 1e6
    run("""
      window.element = id => document.getElementById(id);
      const small = document.createElement('canvas');
      small.width = 300, small.height = 200;
      window.shot = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {
        const pen = small.getContext('2d');
        pen.drawImage(element('view'), 0, 0, 300, 200);
        done(pen.getImageData(0, 0, 300, 200).data.join());
      })));
      window.set = (id, value, kind) => {
        if (typeof value === 'boolean') element(id).checked = value; else element(id).value = value;
        element(id).dispatchEvent(new Event(kind || 'input'));
      };
      window.first = await shot();""")
    shades = run("return new Set(first.split(',').map(n => n >> 4)).size")
    times = run("return scree.data.frames.length")
    row("loads below 2 s", loaded < 2000, f"{loaded:.0f} ms, {size:.1f} MB, {times} times")
    row("bodies are drawn", shades > 5, f"{shades} shades")
    row("the slider goes through time", run("""
      set('slider', element('slider').max);
      window.last = await shot();
      return scree.frame() === scree.data.frames.length - 1 && last !== first
        && element('time').textContent.endsWith(scree.data.frames.length + '/' + scree.data.frames.length)"""))
    row("colours follow the array", run("""
      set('array', [...element('array').options].find(o => o.textContent.startsWith('coordination')).value, 'change');
      window.coloured = await shot();
      return coloured !== last"""))
    row("force chains show", run("set('showChains', true); const c = await shot(); set('showChains', false); return c !== coloured"))
    row("bodies can be hidden", run("set('showBodies', false); const c = await shot(); set('showBodies', true); return c !== coloured"))
    row("walls have a switch", run("""
      const offered = !element('hasWalls').hidden && element('hasTracks').hidden;
      set('showWalls', false);
      const without = await shot();
      set('showBodies', false);
      const nothing = await shot();
      set('showWalls', true), set('showBodies', true);
      return offered && without !== coloured && nothing !== without && await shot() === coloured"""))
    # Bodies that no nearer one comes close to on the screen: a click on their centre can mean no other.
    bodies = run(f"""
      const n = scree.data.frames[scree.frame()].bodies, all = [];
      for (const b of scree.ids().slice(n - {moving})) all.push(Object.assign({{b}}, scree.placeOf(b)));
      all.sort((p, q) => p.depth - q.depth);
      return all.filter((p, k) => all.slice(0, k).every(q => Math.hypot(p.x - q.x, p.y - q.y) > 1.1 * q.size)).slice(0, 10)""")
    named = 0
    for body in bodies:
        click(body["x"], body["y"])
        time.sleep(0.05)
        named += run("return element('bodyName').textContent + ' ' + (element('numbers').rows.length > 5)") == f"body {body['b']} true"
    row("a click names the body and lists its numbers", named == len(bodies), f"{named} of {len(bodies)}")
    run("element('close').click()")
    row("playing goes on", run("""
      const before = scree.frame();
      let gone = false;
      element('play').click();
      for (let k = 0; k < 200 && !gone; ++k) {
        await new Promise(done => setTimeout(done, 20));
        gone = scree.frame() !== before;
      }
      element('play').click();
      return gone"""))
    if len(sys.argv) > 3:
        with open(sys.argv[3], "wb") as out:
            out.write(base64.b64decode(ask("Page.captureScreenshot")["data"]))
    trouble = [json.dumps(e)[:300] for e in events
               if e.get("method") == "Runtime.exceptionThrown"
               or (e.get("method") == "Runtime.consoleAPICalled" and e["params"]["type"] in ("error", "assert"))
               or (e.get("method") == "Log.entryAdded" and e["params"]["entry"]["level"] == "error")]
    row("no error in the console", not trouble, "; ".join(trouble))
    asked = [e["params"]["request"]["url"] for e in events if e.get("method") == "Network.requestWillBeSent"]
    row("nothing is fetched but the page", asked == ["file://" + page] * loads, " ".join(u[:80] for u in asked[loads:]))
finally:
    browser.kill()
    browser.wait()
    shutil.rmtree(profile, ignore_errors=True)
