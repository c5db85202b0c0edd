"""The page in the browser, and the program."""

import json
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import kanshape as ks
import pytest

MODELS = Path(__file__).parents[3] / "tests/data/models"
MODEL = MODELS / "light_squeezenet.onnx"


def text(url):
    with urllib.request.urlopen(url, timeout=30) as answer:
        return answer.read()


def test_a_model_is_shown():
    for model, name in ((MODEL, MODEL.name), (str(MODEL), MODEL.name), (MODEL.read_bytes(), "model")):
        with ks.serve(model) as server:
            page = text(server.url).decode()
            assert f'<meta name="kanshape-model" content="{name}">' in page
            assert text(server.url + "given.onnx") == MODEL.read_bytes()
            assert b"asks.worker" in text(server.url + "page.js")
            assert server.url in server._repr_html_()
        with pytest.raises(urllib.error.URLError):
            text(server.url)
    with pytest.raises(FileNotFoundError):
        ks.serve("no-such-file.onnx")


def test_the_page_is_answered_and_nobody_else():
    with ks.serve() as server:
        line = json.dumps({"signature": "(m,n),(n,p)->(m,p)", "inputs": ["f32[2,3]", "f32[3,4]"]}).encode()
        request = urllib.request.Request(server.url + "ask/a/answer", data=line)
        request.add_header("Origin", server.url[:-1])
        with urllib.request.urlopen(request, timeout=30) as answer:
            assert json.load(answer)["answers"][0]["outputs"] == ["f32[2, 4]"]
        request.add_header("Origin", "http://elsewhere.example")
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=30)
        assert refused.value.code == 403
        refused.value.close()


def test_a_report_is_a_page():
    page = ks.check(MODEL).page()
    assert page.startswith("<!doctype html>") and '"verdict":"always"' in page


def test_the_program_is_in_the_package():
    run = [sys.executable, "-m", "kanshape", "infer", "(m,n),(n,p)->(m,p)", "f32[2,3]", "f32[3,4]"]
    done = subprocess.run(run, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "f32[2, 4]\n"), done.stderr
    wrong = subprocess.run([*run[:3], "infer", "(m"], capture_output=True, text=True)
    assert wrong.returncode == 2 and "error" in wrong.stderr
