#!/usr/bin/env python3
"""Submits the invoices of a folder, follows them, and imports what arrives: see ../README.md.

    DOSTAVA_URL=… DOSTAVA_KEY=… python3 connector.py <folder>

Standard library alone, Python 3.9 or later.
"""

import base64
import hashlib
import http.client
import json
import os
import random
import re
import sqlite3
import sys
import time
import urllib.error
import urllib.request
import uuid

URL = os.environ.get("DOSTAVA_URL", "http://127.0.0.1:8080").rstrip("/")
KEY = os.environ.get("DOSTAVA_KEY", "demo-alfa")
INTEGRATION = "/api/integration/v1"
EXTENSIONS = "/api/extensions/v1"
# What is not final by then is left to the next run: an authority that is down must not keep arrivals from being imported.
WAIT_S = float(os.environ.get("DOSTAVA_WAIT_SECONDS", "120"))
ACCEPTED = 40
FINAL = (40, 50, 55, 60)
# The operator may have a rejected or failed document retried: it is asked for again for so long.
RETRIABLE = ("50", "55")
RETRIABLE_S = 7 * 86_400
# Other errors than these would meet every call.
ABOUT_A_SUBMISSION = (400, 409, 413)
# The service does not have the document any more, or its stored file is damaged.
ABOUT_AN_ARRIVAL = (404, 500)
TRIES = 10
TIMEOUT_S = 60
LONGEST_PAUSE_S = 20
# A service that asks for more is left to the next run.
LONGEST_WAIT_S = 300
# The service remembers a key for one hour. All tries take less, unless the machine sleeps between them.
LONGEST_CALL_S = 50 * 60
LARGEST_ANSWER = 64 * 1024 * 1024


class Problem(Exception):
    def __init__(self, status, code, detail, retry_after):
        super().__init__(": ".join(filter(None, (code or f"HTTP {status}", detail))))
        self.status, self.code, self.retry_after = status, code, retry_after


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the key to wherever it leads."""

    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(NoRedirect)


def send_once(method, path, body, headers):
    request = urllib.request.Request(URL + path, data=body, method=method)
    for name, value in {"X-Api-Key": KEY, "X-Software-Id": "connector-python/1.0", **headers}.items():
        request.add_header(name, value)
    deadline = time.monotonic() + TIMEOUT_S
    try:
        with OPENER.open(request, timeout=TIMEOUT_S) as answer:
            return read_whole(answer, deadline), answer.headers
    except urllib.error.HTTPError as error:
        try:
            problem = json_object(read_whole(error, deadline))
        except ValueError:
            problem = {}
        wait = error.headers.get("Retry-After", "")
        after = int(wait) if re.fullmatch("[0-9]{1,9}", wait) else None
        # The code of a proxy may be a number, and it gives no detail.
        code, detail = (text if isinstance(text, str) else None for text in map(problem.get, ("code", "detail")))
        raise Problem(error.code, code, detail, after) from None


def read_whole(answer, deadline):
    """The time-out of a connection begins again with every byte; that of an answer does not."""
    content = bytearray()
    while piece := answer.read1(65536):
        content += piece
        if len(content) > LARGEST_ANSWER:
            raise ValueError("the answer is too large")
        if time.monotonic() > deadline:
            raise TimeoutError("the answer did not end in time")
    return bytes(content)


def json_object(content, _=None):
    """What is none was cut or is not the service's."""
    answer = json.loads(content)
    if not isinstance(answer, dict):
        raise json.JSONDecodeError("no object", "", 0)
    return answer


def call(method, path, body=None, headers=None, awaits_file=False, read=json_object):
    """Tries again after 429, 503 and lost answers. Every call here may be repeated: a submission by its key."""
    began = time.time()
    for tried in range(1, TRIES + 1):
        pause = random.random() * min(LONGEST_PAUSE_S, 0.25 * 2**tried)
        try:
            return read(*send_once(method, path, body, headers or {}))
        except Problem as problem:
            not_yet = awaits_file and problem.status == 404 and problem.retry_after is not None
            if tried == TRIES or not (not_yet or problem.status in (408, 429) or problem.status >= 500):
                raise
            pause = max(pause, problem.retry_after or 0)
            if pause > LONGEST_WAIT_S:
                raise
        except (OSError, http.client.HTTPException, json.JSONDecodeError, UnicodeDecodeError):
            if tried == TRIES:
                raise
        time.sleep(pause)
        if time.time() - began > LONGEST_CALL_S:
            raise TimeoutError("too much time has passed; the next run goes on")


def verified(content, headers):
    """A file whose bytes are not those of its digest counts as one that has not come."""
    digest = base64.b64encode(hashlib.sha256(content).digest()).decode()
    if f"sha-256=:{digest}:" not in headers.get("Repr-Digest", ""):
        raise OSError("the bytes of the file are not those of its digest")
    return content


def identifier(doc_uid):
    """What a service calls a document becomes a part of names of files."""
    if not re.fullmatch(r"[0-9A-Za-z-]{1,64}", doc_uid or ""):
        raise ValueError(f"no identifier: {doc_uid!r}")
    return doc_uid


def lock(folder):
    """Two runs would submit a file twice. SQLite locks files on every system; the lock ends with the process, however that ends."""
    place = os.path.join(folder, ".lock")
    try:
        # One that may not be written, another user's, would be opened for reading, and nothing be locked.
        open(place, "ab").close()
        held = sqlite3.connect(place, timeout=0, isolation_level=None)
        held.execute("BEGIN EXCLUSIVE")
    except (OSError, sqlite3.Error) as error:
        is_held = "database is locked" in str(error)
        # SQLite says the same of a file system without locks.
        held_by = "another run is under way in this folder, or its file system has no locks"
        said = held_by if is_held else "the folder cannot be locked"
        sys.exit(f"{said} ({error})")
    return held


class State:
    """What is done, a line for each step; on disk before the next one."""

    def __init__(self, place):
        self.rows = {kind: {} for kind in ("begin", "taken", "refused", "final", "retried", "stored", "imported")}
        self.imported_bytes = {}
        self.file = open(place, "a+b")
        self.file.seek(0)
        text = self.file.read()
        whole = text[: text.rfind(b"\n") + 1]
        self.file.truncate(len(whole))
        # Names are bytes to the system, in any encoding, and may have what splitlines() takes for the end of a line.
        for line in whole.decode(errors="surrogateescape").split("\n")[:-1]:
            self.take(*line.split("\t"))

    def take(self, kind, name, *values):
        self.rows[kind][name] = values
        if kind == "retried":
            self.rows["final"].pop(name, None)
        if kind == "imported" and values:
            self.imported_bytes[values[0]] = name

    def __getitem__(self, kind):
        return self.rows[kind]

    def noted(self, name):
        """The status in which a document was last seen to be final, and when; the version before noted no time."""
        status, seen = (*self.rows["final"].get(name, ()), "", "")[:2]
        return status, int(seen or 0)

    def add(self, kind, name, *values):
        if re.search(r"[\t\n\r]", name):
            raise ValueError(f"A name has a tab or a line break: {name!r}")
        self.file.write("\t".join((kind, name, *values)).encode(errors="surrogateescape") + b"\n")
        self.file.flush()
        os.fsync(self.file.fileno())
        self.take(kind, name, *values)


class Connector:
    def __init__(self, folder):
        self.folder = folder
        for name in ("containers", "imported"):
            os.makedirs(os.path.join(folder, name), exist_ok=True)
        self.lock = lock(folder)
        self.state = State(os.path.join(folder, "state.tsv"))
        self.reported = 0

    def run(self):
        for name in sorted(os.listdir(os.path.join(self.folder, "outbox"))):
            if name.endswith(".xml"):
                self.submit(name)
        deadline = time.monotonic() + WAIT_S
        for name in list(self.state["taken"]):
            self.follow(name, deadline)
        self.import_arrivals()
        return 1 if self.reported else 0

    def submit(self, name):
        if name in self.state["taken"] or name in self.state["refused"]:
            return
        with open(os.path.join(self.folder, "outbox", name), "rb") as file:
            document = file.read()
        sha256 = hashlib.sha256(document).hexdigest()
        doc_uid = None
        if name in self.state["begin"]:
            key, begun = self.state["begin"][name]
            if begun != sha256:
                return self.report(name, "was changed after its submission began")
            doc_uid = self.find(sha256)
        else:
            key = uuid.uuid4().hex
            self.state.add("begin", name, key, sha256)
        if doc_uid is None:
            headers = {"X-Idempotency-Key": key, "Content-Type": "application/xml"}
            try:
                doc_uid = call("POST", f"{INTEGRATION}/outbound", document, headers)["docUid"]
            except Problem as problem:
                if problem.status not in ABOUT_A_SUBMISSION:
                    raise
                self.report(name, problem)
                # What is not about the document itself, such as a tenant that must not submit, is tried again by the next run. Not
                # where the taxpayer went to the other environment meanwhile (409 without a code): a trial would become a real invoice.
                refusal = problem.code or f"HTTP {problem.status}"
                if re.match("ERR-(1007|2)|HTTP 409$", refusal):
                    self.state.add("refused", name, refusal)
                return
        self.state.add("taken", name, identifier(doc_uid))

    def find(self, sha256):
        """The document with these bytes that no other file stands for."""
        known = {values[0] for values in self.state["taken"].values()}
        found = call("GET", f"{EXTENSIONS}/outbound?sha256={sha256}")["items"]
        return next((item["docUid"] for item in found if item["docUid"] not in known), None)

    def follow(self, name, deadline):
        try:
            self.follow_known(name, deadline)
        except Problem as problem:
            if problem.code != "ERR-3001":
                raise
            # A service that was restored may not have it; of what it had rejected nothing is said.
            if self.state.noted(name)[0] not in RETRIABLE:
                self.report(name, "is not known to the service any more; ask its operator")

    def follow_known(self, name, deadline):
        doc_uid = self.state["taken"][name][0]
        path = f"{INTEGRATION}/outbound/{doc_uid}"
        status, seen = self.state.noted(name)
        if not status or (status in RETRIABLE and time.time() - seen < RETRIABLE_S):
            self.await_final(name, path, deadline)
        if self.state.noted(name)[0] != str(ACCEPTED) or name in self.state["stored"]:
            return
        try:
            container = call("GET", f"{path}/file?format=ujp", awaits_file=True, read=verified)
        except Problem as problem:
            if problem.code == "ERR-3002":
                return
            raise
        self.keep(f"containers/{name[:-4]}.{doc_uid}.ujp", container)
        self.state.add("stored", name)

    def await_final(self, name, path, deadline):
        pause = 0.5
        while True:
            noted, _ = self.state.noted(name)
            document = call("GET", path)
            if str(document["status"]) == noted:
                return
            if document["status"] in FINAL:
                return self.note_final(name, document)
            if noted:
                self.tell(name, "is being retried")
                self.state.add("retried", name)
            if time.monotonic() + pause > deadline:
                return
            time.sleep(pause)
            pause = min(pause * 1.5, 10)

    def note_final(self, name, document):
        status = document["status"]
        if status != ACCEPTED:
            self.report(name, f"ended in {status}: {document['failureCode']} {document['failureMessage']}")
        elif name in self.state["final"] or name in self.state["retried"]:
            self.tell(name, "was accepted after all")
        self.state.add("final", name, str(status), str(int(time.time())))

    def import_arrivals(self):
        # Acknowledged documents leave the list and its pages move: the first page, until it holds only what cannot be downloaded.
        page, left = 1, set()
        while items := call("GET", f"{INTEGRATION}/inbound?onlyNotImported=true&page={page}")["items"]:
            new = [item["docUid"] for item in items if item["docUid"] not in left]
            page = 1 if new else page + 1
            left.update(doc_uid for doc_uid in new if not self.import_arrival(identifier(doc_uid)))

    def import_arrival(self, doc_uid):
        """Whether it is imported; one whose file cannot be had comes again with the next run."""
        path = f"{INTEGRATION}/inbound/{doc_uid}"
        if doc_uid not in self.state["imported"]:
            try:
                content = call("GET", f"{path}/file", read=verified)
            except Problem as problem:
                if problem.status not in ABOUT_AN_ARRIVAL:
                    raise
                self.report(doc_uid, f"cannot be downloaded: {problem}")
                return False
            sha256 = hashlib.sha256(content).hexdigest()
            known = self.state.imported_bytes.get(sha256)
            if known is None:
                self.keep(f"imported/{doc_uid}", content)
            else:
                self.tell(doc_uid, f"is {known} once more")
            self.state.add("imported", doc_uid, sha256)
        call("POST", f"{path}/ack", b"")
        return True

    def keep(self, name, content):
        """Whole and on disk under its name, or not there at all."""
        place = os.path.join(self.folder, name)
        with open(f"{place}.part", "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(f"{place}.part", place)

    def report(self, name, message):
        self.reported += 1
        self.tell(name, message)

    def tell(self, name, message):
        """Before its line is added: a kill between them makes a message come twice, and never lost."""
        try:
            print(f"{name}: {message}", file=sys.stderr, flush=True)
        except OSError:
            pass  # Nobody is there to read it.


if __name__ == "__main__":
    sys.exit(Connector(sys.argv[1] if len(sys.argv) > 1 else ".").run())
