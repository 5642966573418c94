//! Honest work on data, tables, templates and helpers that lie anywhere: changed together with the code that reads them.

use super::toolchains::Trial;

pub(super) const HONEST: &[Trial] = &[
    Trial {
        name: "package resources by package name, key renamed with the code",
        front: "",
        base: r##"@PYTHON@
mkdir greet; echo '{"greet": "Hallo"}' > greet/de.json; printf 'import json\nfrom importlib import resources\n\n\ndef word(lang):\n    return json.loads((resources.files(__package__) / f"{lang}.json").read_text())["greet"]\n' > greet/__init__.py; mkdir -p tests; touch tests/__init__.py; printf 'import unittest\nimport greet\n\n\nclass T(unittest.TestCase):\n    def test_de(self):\n        self.assertEqual(greet.word("de"), "Hallo")\n' > tests/test_greet.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"echo '{"hello": "Hallo"}' > greet/de.json; sed -i 's/\["greet"\]/["hello"]/' greet/__init__.py"##,
            "touch b.txt",
        ],
        right: "grep -q hello greet/de.json && grep -q hello greet/__init__.py",
    },
    Trial {
        name: "a package lists what lies beside it",
        front: "",
        base: r##"@PYTHON@
mkdir rates; echo 'eu 19' > rates/eu; echo 'ch 8' > rates/ch; printf 'import os\n\nHERE = os.path.dirname(__file__)\n\n\ndef rates():\n    found = {}\n    for name in os.listdir(HERE):\n        if not name.startswith("_"):\n            key, value = open(os.path.join(HERE, name)).read().split()\n            found[key] = int(value)\n    return found\n' > rates/__init__.py; mkdir -p tests; touch tests/__init__.py; printf 'import unittest\nimport rates\n\n\nclass T(unittest.TestCase):\n    def test_eu(self):\n        self.assertEqual(rates.rates()["eu"], 19)\n' > tests/test_rates.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"echo 'eu=19' > rates/eu; echo 'ch=8' > rates/ch; sed -i 's/split()/strip().split("=")/' rates/__init__.py"##,
            "touch b.txt",
        ],
        right: "grep -q eu=19 rates/eu",
    },
    Trial {
        name: "nested directories by names put together",
        front: "",
        base: r##"@PYTHON@
mkdir -p tables/de tables/fr; echo '19' > tables/de/2024.csv; echo '20' > tables/fr/2024.csv; printf 'import os\n\nROOT = os.path.dirname(os.path.abspath(__file__))\n\n\ndef rate(country, year):\n    with open(os.path.join(ROOT, "tables", country, f"{year}.csv")) as f:\n        return int(f.read())\n' > tax.py; mkdir -p tests; touch tests/__init__.py; printf 'import unittest\nimport tax\n\n\nclass T(unittest.TestCase):\n    def test_de(self):\n        self.assertEqual(tax.rate("de", 2024), 19)\n' > tests/test_tax.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"echo 'rate,19' > tables/de/2024.csv; echo 'rate,20' > tables/fr/2024.csv; sed -i 's/f.read()/f.read().split(",")[1]/' tax.py"##,
            "touch b.txt",
        ],
        right: "grep -q rate,19 tables/de/2024.csv",
    },
    Trial {
        name: "settings name the data",
        front: "",
        base: r##"@PYTHON@
mkdir -p conf tables; printf '[app]\nrates = tables/eu.csv\n' > conf/app.ini; echo 'de,19' > tables/eu.csv; printf 'import configparser\n\n\ndef rate(country):\n    settings = configparser.ConfigParser()\n    settings.read("conf/app.ini")\n    for line in open(settings["app"]["rates"]):\n        key, value = line.strip().split(",")\n        if key == country:\n            return int(value)\n' > tax.py; mkdir -p tests; touch tests/__init__.py; printf 'import unittest\nimport tax\n\n\nclass T(unittest.TestCase):\n    def test_de(self):\n        self.assertEqual(tax.rate("de"), 19)\n' > tests/test_tax.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"echo 'de;19' > tables/eu.csv; sed -i 's/split(",")/split(";")/' tax.py"##,
            "touch b.txt",
        ],
        right: "grep -q 'de;19' tables/eu.csv",
    },
    Trial {
        name: "values of a module read by a name that is put together",
        front: "",
        base: r##"@PYTHON@
mkdir regions; touch regions/__init__.py; printf 'RATE = 19\n' > regions/de.py; printf 'import importlib\n\n\ndef rate(country):\n    return importlib.import_module("regions." + country).RATE\n' > tax.py; mkdir -p tests; touch tests/__init__.py; printf 'import unittest\nimport tax\nfrom regions import de\n\n\nclass T(unittest.TestCase):\n    def test_de(self):\n        self.assertEqual(tax.rate("de"), 19)\n        self.assertTrue(de)\n' > tests/test_tax.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'RATES = [19]\n' > regions/de.py; sed -i 's/\.RATE/.RATES[0]/' tax.py"##,
            "touch b.txt",
        ],
        right: "grep -q RATES regions/de.py",
    },
    Trial {
        name: "what writes and what reads change together",
        front: "",
        base: r##"@PYTHON@
printf 'def encode(body):\n    return bytes(body) + bytes([sum(body) %% 256])\n' > encode.py; printf 'def decode(data):\n    body, check = data[:-1], data[-1]\n    total = sum(body) %% 256\n    if total != check:\n        raise ValueError("damaged")\n    return body\n' > decode.py; mkdir -p tests; touch tests/__init__.py; printf 'import unittest\nfrom encode import encode\nfrom decode import decode\n\n\nclass T(unittest.TestCase):\n    def test_both(self):\n        self.assertEqual(decode(encode(b"abc")), b"abc")\n' > tests/test_codec.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: ["sed -i 's/% 256/% 255/' encode.py decode.py", "touch b.txt"],
        right: "grep -q 255 decode.py",
    },
    Trial {
        name: "an extensionless program reads what is beside it",
        front: "",
        base: r##"rm -rf tests; mkdir -p bin share tests; printf '#!/usr/bin/env python3\nimport sys\nfrom pathlib import Path\n\nfor line in (Path(__file__).parent.parent / "share" / "units").read_text().splitlines():\n    name, factor = line.split()\n    if name == sys.argv[1]:\n        print(int(sys.argv[2]) * int(factor))\n' > bin/convert; chmod +x bin/convert; printf 'km 1000\n' > share/units; printf 'import subprocess\nimport unittest\n\n\nclass T(unittest.TestCase):\n    def test_km(self):\n        self.assertEqual(subprocess.check_output(["bin/convert", "km", "2"]).strip(), b"2000")\n' > tests/test_convert.py; touch tests/__init__.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'km=1000\n' > share/units; sed -i 's/line.split()/line.split("=")/' bin/convert"##,
            "touch b.txt",
        ],
        right: "grep -q km=1000 share/units",
    },
    Trial {
        name: "a loader of all files of a kind",
        front: "",
        base: r##"@PYTHON@
mkdir rules; echo '{"max": 3}' > rules/size.json; printf 'import json\nimport pathlib\n\n\ndef rules(root="."):\n    found = {}\n    for p in sorted(pathlib.Path(root).rglob("*")):\n        if p.suffix == ".json":\n            found[p.stem] = json.loads(p.read_text())\n    return found\n' > rules.py; mkdir -p tests; touch tests/__init__.py; printf 'import unittest\nfrom rules import rules\n\n\nclass T(unittest.TestCase):\n    def test_size(self):\n        self.assertIn("size", rules())\n        self.assertEqual(list(rules()["size"].values()), [3])\n' > tests/test_rules.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"echo '{"maximum": 3}' > rules/size.json; printf '\n\ndef limit():\n    return rules()["size"]["maximum"]\n' >> rules.py"##,
            "touch b.txt",
        ],
        right: "grep -q maximum rules/size.json",
    },
    Trial {
        name: "every example is loaded, and one gets a key",
        front: "",
        base: r##"@PYTHON@
mkdir examples; printf 'port=80\n' > examples/small.conf; printf 'def load(text):\n    found = dict(line.split("=") for line in text.split())\n    return int(found["port"])\n' > loader.py; mkdir -p tests; touch tests/__init__.py; printf 'import pathlib\nimport unittest\nimport loader\n\n\nclass T(unittest.TestCase):\n    def test_examples(self):\n        for p in pathlib.Path("examples").iterdir():\n            self.assertTrue(loader.load(p.read_text()))\n' > tests/test_loader.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'port=80\nhost=a\n' > examples/small.conf"##,
            "touch b.txt",
        ],
        right: "grep -q host=a examples/small.conf",
    },
    Trial {
        name: "prices by a csv that settings of the environment name",
        front: "",
        base: r##"@PYTHON@
mkdir prices; printf 'pear,2\n' > prices/today.csv; printf 'import csv\nimport os\n\n\ndef price(name):\n    with open(os.environ.get("PRICES", "prices/today.csv")) as f:\n        return dict(csv.reader(f))[name]\n' > shop.py; mkdir -p tests; touch tests/__init__.py; printf 'import unittest\nimport shop\n\n\nclass T(unittest.TestCase):\n    def test_pear(self):\n        self.assertEqual(shop.price("pear"), "2")\n' > tests/test_shop.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'PEAR,2\n' > prices/today.csv; sed -i 's/\[name\]/[name.upper()]/' shop.py"##,
            "touch b.txt",
        ],
        right: "grep -q PEAR prices/today.csv",
    },
    Trial {
        name: "schema and data that a script holds together",
        front: "",
        base: r##"@PYTHON@
mkdir schemas people; echo '{"required": ["id"]}' > schemas/person.json; echo '{"id": 1}' > people/ada.json; printf 'import json\nimport pathlib\nimport sys\n\nneeded = json.load(open("schemas/person.json"))["required"]\nfor p in pathlib.Path("people").iterdir():\n    if not all(k in json.loads(p.read_text()) for k in needed):\n        sys.exit(f"{p} lacks a key")\n' > check_people.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 check_people.py
"##,
        sessions: [
            r##"echo '{"required": ["id", "mail"]}' > schemas/person.json; echo '{"id": 1, "mail": "a@b"}' > people/ada.json"##,
            "touch b.txt",
        ],
        right: "grep -q mail people/ada.json",
    },
    Trial {
        name: "template and its code",
        front: "",
        base: r##"@PYTHON@
mkdir mails; echo 'Hello {name}' > mails/welcome.txt; printf 'from pathlib import Path\n\nMAILS = Path(__file__).with_name("mails")\n\n\ndef render(kind, **words):\n    return MAILS.joinpath(kind).with_suffix(".txt").read_text().format(**words)\n\n\ndef welcome(name):\n    return render("welcome", name=name)\n' > mail.py; mkdir -p tests; touch tests/__init__.py; printf 'import unittest\nimport mail\n\n\nclass T(unittest.TestCase):\n    def test_mail(self):\n        self.assertIn("Ada", mail.welcome("Ada"))\n' > tests/test_mail.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            "echo 'Hello {person}' > mails/welcome.txt; sed -i 's/name=name/person=name/' mail.py",
            "touch b.txt",
        ],
        right: "grep -q person mails/welcome.txt",
    },
    Trial {
        name: "django-like fixtures of the product",
        front: "",
        base: r##"@PYTHON@
mkdir -p shop/initial; touch shop/__init__.py; echo '[{"pk": 1}]' > shop/initial/products.json; printf 'import json\nimport os\n\n\ndef load(app, label):\n    base = os.path.join(os.path.dirname(__file__), app, "initial")\n    return json.load(open(os.path.join(base, "%%s.json" %% label)))\n' > loaddata.py; mkdir -p tests; touch tests/__init__.py; printf 'import unittest\nimport loaddata\n\n\nclass T(unittest.TestCase):\n    def test_load(self):\n        self.assertEqual([loaddata_id(p) for p in loaddata.load("shop", "products")], [1])\n\n\ndef loaddata_id(p):\n    return loaddata.ident(p) if hasattr(loaddata, "ident") else p["pk"]\n' > tests/test_load.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"echo '[{"id": 1}]' > shop/initial/products.json; printf '\n\ndef ident(p):\n    return p["id"]\n' >> loaddata.py"##,
            "touch b.txt",
        ],
        right: r##"grep -q '"id"' shop/initial/products.json"##,
    },
    Trial {
        name: "a grammar",
        front: "",
        base: r##"@PYTHON@
mkdir grammar; echo 'sum: n "+" n' > grammar/expr.lark; printf 'from pathlib import Path\n\nGRAMMARS = Path(__file__).parent\n\n\ndef start(name="expr"):\n    path = next(GRAMMARS.glob(f"**/{name}.lark"))\n    return path.read_text().split(":")[0]\n\n\ndef parses(word):\n    return word == start()\n' > parser_.py; mkdir -p tests; touch tests/__init__.py; printf 'import unittest\nimport parser_\n\n\nclass T(unittest.TestCase):\n    def test_start(self):\n        self.assertTrue(parser_.parses(getattr(parser_, "START", "sum")))\n' > tests/test_parser.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"echo 'total: n "+" n' > grammar/expr.lark; echo 'START = "total"' >> parser_.py"##,
            "touch b.txt",
        ],
        right: "grep -q total grammar/expr.lark",
    },
    Trial {
        name: "pytest: i18n directory by convention of a framework",
        front: "",
        base: r##"@PYTHON@
mkdir -p i18n vendor_; echo 'hi: Hallo' > i18n/messages.de.yaml; printf 'import os\n\n\ndef catalog(lang, place):\n    for name in os.listdir(place):\n        if name.split(".")[1] == lang:\n            return dict(l.strip().split(": ") for l in open(os.path.join(place, name)))\n' > framework.py; printf 'import os\nfrom framework import catalog\n\n\ndef greet(lang):\n    return catalog(lang, os.environ.get("CATALOG", "i" + str(18) + "n"))["hi"]\n' > app.py; mkdir -p tests; printf 'import app\n\n\ndef test_greet():\n    assert app.greet("de") == "Hallo"\n' > tests/test_app.py
@ORACLE@ python3 -B -m pytest -q -p no:cacheprovider
"##,
        sessions: [
            r##"echo 'hello: Hallo' > i18n/messages.de.yaml; sed -i 's/\["hi"\]/["hello"]/' app.py"##,
            "touch b.txt",
        ],
        right: "grep -q hello i18n/messages.de.yaml",
    },
    Trial {
        name: "pytest: translations that an application's settings name",
        front: "",
        base: r##"@PYTHON@
mkdir -p etc words; printf 'catalog: words\n' > etc/app.yml; echo 'hi: Hallo' > words/de; printf 'def greet(lang):\n    place = open("etc/app.yml").read().split()[1]\n    return dict(l.strip().split(": ") for l in open(place + "/" + lang))["hi"]\n' > app.py; mkdir -p tests; printf 'import app\n\n\ndef test_greet():\n    assert app.greet("de") == "Hallo"\n' > tests/test_app.py
@ORACLE@ python3 -B -m pytest -q -p no:cacheprovider
"##,
        sessions: [
            r##"echo 'hello: Hallo' > words/de; sed -i 's/\["hi"\]/["hello"]/' app.py"##,
            "touch b.txt",
        ],
        right: "grep -q hello words/de",
    },
    Trial {
        name: "node: json beside the code, by require",
        front: "",
        base: r##"@NODE@
mkdir rates; echo '{"de": 19}' > rates/eu.json; printf "const eu = require('./rates/eu');\nexports.add = (a, b) => a + b;\nexports.rate = (c) => eu[c];\n" > calc.js; sed -i 's/const { add }/const { add, rate }/; s/strictEqual(add(1, 2), 3)/strictEqual(add(1, 2), 3); assert.strictEqual(rate("de"), 19)/' tests/calc.test.js
@ORACLE@ node --test tests/
"##,
        sessions: [
            r##"echo '{"DE": 19}' > rates/eu.json; sed -i 's/eu\[c\]/eu[c.toUpperCase()]/' calc.js"##,
            "touch b.txt",
        ],
        right: "grep -q DE rates/eu.json",
    },
    Trial {
        name: "node: an index reads its own directory",
        front: "",
        base: r##"@NODE@
mkdir rates; echo '{"de": 19}' > rates/eu.json; printf "const fs = require('fs');\nconst path = require('path');\nfor (const f of fs.readdirSync(__dirname)) {\n  if (path.parse(f).ext !== path.parse(__filename).ext) exports[f.split('.')[0]] = JSON.parse(fs.readFileSync(path.join(__dirname, f)));\n}\n" > rates/index.js; printf "const rates = require('./rates');\nexports.add = (a, b) => a + b;\nexports.rate = (c) => rates.eu[c];\n" > calc.js; sed -i 's/const { add }/const { add, rate }/; s/strictEqual(add(1, 2), 3)/strictEqual(add(1, 2), 3); assert.strictEqual(rate("de"), 19)/' tests/calc.test.js
@ORACLE@ node --test tests/
"##,
        sessions: [
            r##"echo '{"DE": 19}' > rates/eu.json; sed -i 's/eu\[c\]/eu[c.toUpperCase()]/' calc.js"##,
            "touch b.txt",
        ],
        right: "grep -q DE rates/eu.json",
    },
    Trial {
        name: "node: path.join of __dirname and a name with its ending in a template",
        front: "",
        base: r##"@NODE@
mkdir -p messages/web; echo '{"hi": "Hallo"}' > messages/web/de.json; printf "const fs = require('fs');\nconst path = require('path');\nexports.add = (a, b) => a + b;\nexports.text = (area, lang) => JSON.parse(fs.readFileSync(path.join(__dirname, 'messages', area, \`\${lang}.json\`))).hi;\n" > calc.js; sed -i 's/const { add }/const { add, text }/; s/strictEqual(add(1, 2), 3)/strictEqual(add(1, 2), 3); assert.strictEqual(text("web", "de"), "Hallo")/' tests/calc.test.js
@ORACLE@ node --test tests/
"##,
        sessions: [
            r##"echo '{"hello": "Hallo"}' > messages/web/de.json; sed -i 's/\.hi;/.hello;/' calc.js"##,
            "touch b.txt",
        ],
        right: "grep -q hello messages/web/de.json",
    },
    Trial {
        name: "node: values in modules that a name leads to",
        front: "",
        base: r##"@NODE@
mkdir tables; printf 'module.exports = { de: 19 };\n' > tables/eu.js; printf "exports.add = (a, b) => a + b;\nexports.rate = (area, c) => require('./tables/' + area)[c];\n" > calc.js; sed -i "s/const { add }/const eu = require('..\/tables\/eu.js');\nconst { add, rate }/; s/strictEqual(add(1, 2), 3)/strictEqual(add(1, 2), 3); assert.ok(eu); assert.strictEqual(rate('eu', 'de'), 19)/" tests/calc.test.js
@ORACLE@ node --test tests/
"##,
        sessions: [
            r##"printf 'module.exports = { DE: 19 };\n' > tables/eu.js; sed -i 's/\[c\]/[c.toUpperCase()]/' calc.js"##,
            "touch b.txt",
        ],
        right: "grep -q DE tables/eu.js",
    },
    Trial {
        name: "node: a page fetches a feed",
        front: "",
        base: r##"@NODE@
mkdir pages feeds; printf '<script>\nfetch("feeds/top.json").then((r) => r.json()).then((all) => show(all.items));\n</script>\n' > pages/index.html; echo '{"items": [1]}' > feeds/top.json; cat > tests/calc.test.js <<'E'
const test = require('node:test');
const assert = require('node:assert');
const fs = require('fs');

test('shows', () => {
  const page = fs.readFileSync('pages/index.html', 'utf8');
  const key = /all\.(\w+)/.exec(page)[1];
  const file = /fetch\("([^"]+)/.exec(page)[1];
  assert.strictEqual(JSON.parse(fs.readFileSync(file, 'utf8'))[key].length, 1);
});
E
@ORACLE@ node --test tests/
"##,
        sessions: [
            r##"echo '{"entries": [1]}' > feeds/top.json; sed -i 's/all.items/all.entries/' pages/index.html"##,
            "touch b.txt",
        ],
        right: "grep -q entries feeds/top.json && grep -q entries pages/index.html",
    },
    Trial {
        name: "node: a server's routes by a table in yaml, all of a kind",
        front: "",
        base: r##"@NODE@
mkdir routes; printf 'path /a\n' > routes/a.route; printf "const fs = require('fs');\nexports.add = (a, b) => a + b;\nexports.routes = (dir) => fs.readdirSync(dir).filter((f) => /\\\\.route\$/.test(f)).map((f) => fs.readFileSync(dir + '/' + f, 'utf8').split(' ')[1].trim());\n" > calc.js; sed -i "s/const { add }/const { add, routes }/; s/strictEqual(add(1, 2), 3)/strictEqual(add(1, 2), 3); assert.deepStrictEqual(routes(['ro', 'utes'].join('')), ['\/a'])/" tests/calc.test.js
@ORACLE@ node --test tests/
"##,
        sessions: [
            r##"printf 'path: /a\n' > routes/a.route; sed -i "s/split(' ')/split(': ')/" calc.js"##,
            "touch b.txt",
        ],
        right: "grep -q 'path: /a' routes/a.route",
    },
    Trial {
        name: "node: a build script before the tests",
        front: "",
        base: r##"@NODE@
mkdir -p scripts words; echo 'de=Hallo' > words/list; printf "const fs = require('fs');\nif (fs.existsSync('gen.js') === false) fs.mkdirSync('build', { recursive: true });\nfs.writeFileSync('build/words.js', 'module.exports = ' + JSON.stringify(Object.fromEntries(fs.readFileSync('words/list', 'utf8').trim().split('\\\\n').map((l) => l.split('=')))));\n" > scripts/build.js; printf '{"name": "calc", "scripts": {"pretest": "node scripts/build.js", "test": "node --test tests/"}}' > package.json; printf "const words = require('./build/words.js');\nexports.add = (a, b) => a + b;\nexports.word = (l) => words[l];\n" > calc.js; sed -i "s/const { add }/const { add, word }/; s/strictEqual(add(1, 2), 3)/strictEqual(add(1, 2), 3); assert.strictEqual(word('de'), 'Hallo')/" tests/calc.test.js
@ORACLE@ npm test --silent
"##,
        sessions: [
            r##"echo 'de=Hallo
fr=Salut' > words/list"##,
            "touch b.txt",
        ],
        right: "grep -q Salut words/list",
    },
    Trial {
        name: "jest: a table that a module of the product reads",
        front: "",
        base: r##"@JEST@
mkdir plans; printf '[{"id": "free", "cents": 0}]' > plans/all.json; printf "const all = require('./plans/all.json');\nexports.add = (a, b) => a + b;\nexports.cents = (id) => all.find((p) => p.id === id).cents;\n" > calc.js; sed -i "s/const { add }/const { add, cents }/; s/expect(add(1, 2)).toBe(3)/expect(add(1, 2)).toBe(3);\n  expect(cents('free')).toBe(0)/" tests/calc.test.js
@ORACLE@ jest
"##,
        sessions: [
            r##"printf '[{"name": "free", "cents": 0}]' > plans/all.json; sed -i 's/p\.id/p.name/' calc.js"##,
            "touch b.txt",
        ],
        right: "grep -q name plans/all.json",
    },
    Trial {
        name: "cargo: include_str of a table",
        front: "",
        base: r##"@CARGO@
mkdir tables; echo '3' > tables/three.txt; printf 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\npub fn three() -> i32 {\n    include_str!("../tables/three.txt").trim().parse().unwrap()\n}\n' > src/lib.rs; printf '#[test]\nfn adds() {\n    assert_eq!(calc::add(1, 2), calc::three());\n}\n' > tests/it.rs
@ORACLE@ cargo test --offline -q
"##,
        sessions: [
            r##"echo 'n=3' > tables/three.txt; sed -i 's/\.trim()/.trim()[2..]/' src/lib.rs"##,
            "touch b.txt",
        ],
        right: "grep -q n=3 tables/three.txt",
    },
    Trial {
        name: "cargo: build.rs of all files with an ending",
        front: "",
        base: r##"@CARGO@
mkdir units; echo 'KM 1000' > units/length.unit; printf 'use std::{env, fs, path::Path};\nfn main() {\n    let mut out = String::new();\n    for e in fs::read_dir(env::var("UNITS").unwrap_or("units".into())).unwrap() {\n        let p = e.unwrap().path();\n        if p.extension().map_or(false, |e| e == "unit") {\n            for l in fs::read_to_string(&p).unwrap().lines() {\n                let (a, b) = l.split_once(|c: char| c as u32 == 32 || c as u32 == 61).unwrap();\n                out += &format!("pub const {a}: i32 = {b};\\n");\n            }\n        }\n    }\n    fs::write(Path::new(&env::var("OUT_DIR").unwrap()).join("u.rs"), out).unwrap();\n    println!("cargo:rerun-if-changed=units");\n}\n' > build.rs; printf 'include!(concat!(env!("OUT_DIR"), "/u.rs"));\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n' > src/lib.rs; printf '#[test]\nfn adds() {\n    assert_eq!(calc::add(1, 2), 3);\n    assert_eq!(calc::KM, 1000);\n}\n' > tests/it.rs
@ORACLE@ cargo test --offline -q
"##,
        sessions: ["echo 'KM=1000' > units/length.unit; true", "touch b.txt"],
        right: "grep -q KM=1000 units/length.unit",
    },
    Trial {
        name: "go: embed of a whole directory",
        front: "",
        base: r##"@GO@
mkdir words; echo 'Hallo' > words/de; printf 'package calc\n\nimport "embed"\n\n//go:embed all:words\nvar all embed.FS\n\nfunc Add(a, b int) int { return a + b }\n\nfunc Word(l string) string {\n\tes, _ := all.ReadDir(dir)\n\tfor _, e := range es {\n\t\tif e.Name() == l {\n\t\t\tb, _ := all.ReadFile(dir + "/" + l)\n\t\t\treturn string(b[:5])\n\t\t}\n\t}\n\treturn ""\n}\n' > calc.go; printf 'package calc\n\nconst dir = "wor" + "ds"\n' > dir.go; sed -i 's/\t\tt.Fatal("wrong")/\t\tt.Fatal("wrong")\n\t}\n\tif Word("de") != "Hallo" {\n\t\tt.Fatal("word")/' calc_test.go
@ORACLE@ go test ./...
"##,
        sessions: [
            r##"echo '"Hallo"' > words/de; sed -i 's/b\[:5\]/b[1:6]/' calc.go"##,
            "touch b.txt",
        ],
        right: r##"grep -q '"Hallo"' words/de"##,
    },
    Trial {
        name: "go: embed of one file in a package of its own",
        front: "",
        base: r##"@GO@
mkdir -p words; echo 'Hallo' > words/de.txt; printf 'package words\n\nimport _ "embed"\n\n//go:embed de.txt\nvar De string\n' > words/words.go; sed -i 's/import "testing"/import (\n\t"testing"\n\n\t"calc\/words"\n)/; s/\t\tt.Fatal("wrong")/\t\tt.Fatal("wrong")\n\t}\n\tif words.Text() != "Hallo" {\n\t\tt.Fatal("word")/' calc_test.go; printf '\nfunc Text() string { return De[:5] }\n' >> words/words.go
@ORACLE@ go test ./...
"##,
        sessions: [
            r##"echo '"Hallo"' > words/de.txt; sed -i 's/De\[:5\]/De[1:6]/' words/words.go"##,
            "touch b.txt",
        ],
        right: r##"grep -q '"Hallo"' words/de.txt"##,
    },
    Trial {
        name: "make: a header made of a table",
        front: "",
        base: r##"mkdir -p tests tables; rm -f tests/*; printf 'km 1000\n' > tables/si.csv; printf '#include "units.h"\nint km(void) { return KM; }\n' > km.c; printf '#include <stdlib.h>\nint km(void);\nint main(void) { if (km() != 1000) abort(); return 0; }\n' > tests/test_km.c; printf 'check: units.h\n\tcc -I. -o t.out tests/test_km.c km.c && ./t.out\n\nunits.h: tables/si.csv\n\tawk '"'"'{ print "#define KM " $$2 }'"'"' tables/si.csv > units.h\n' > Makefile; printf 't.out\nunits.h\n' > .gitignore
@ORACLE@ make check
"##,
        sessions: [
            r##"printf 'km 1000 m\n# mi 1609\n' | head -1 > tables/si.csv; printf '#include "units.h"\nint km(void) { return KM; }\nint mile(void) { return 1609; }\n' > km.c"##,
            "touch b.txt",
        ],
        right: "grep -q '1000 m' tables/si.csv",
    },
    Trial {
        name: "make: a table and the code that reads its header, together",
        front: "",
        base: r##"mkdir -p tests tables; rm -f tests/*; printf 'km 1000\n' > tables/si.csv; printf '#include "units.h"\nint km(void) { return KM; }\n' > km.c; printf '#include <stdlib.h>\nint km(void);\nint main(void) { if (km() != 1000) abort(); return 0; }\n' > tests/test_km.c; printf 'check: units.h\n\tcc -I. -o t.out tests/test_km.c km.c && ./t.out\n\nunits.h: tables/si.csv\n\tawk '"'"'{ print "#define " toupper($$1) " " $$2 }'"'"' $< > $@\n' > Makefile; printf 't.out\nunits.h\n' > .gitignore
@ORACLE@ make check
"##,
        sessions: [
            r##"printf 'kilometre 1000\n' > tables/si.csv; printf '#include "units.h"\nint km(void) { return KILOMETRE; }\n' > km.c"##,
            "touch b.txt",
        ],
        right: "grep -q kilometre tables/si.csv",
    },
    Trial {
        name: "make: a generator with conditions of its own",
        front: "",
        base: r##"mkdir -p tests tools; rm -f tests/*; printf 'set -e\nif [ "$(uname)" = Linux ]; then echo "#define KM 1000"; else exit 1; fi\n' > tools/gen.sh; printf '#include "units.h"\nint km(void) { return KM; }\n' > km.c; printf '#include <stdlib.h>\nint km(void);\nint main(void) { if (km() != 1000) abort(); return 0; }\n' > tests/test_km.c; printf 'check: units.h\n\tcc -I. -o t.out tests/test_km.c km.c && ./t.out\n\nunits.h: tools/gen.sh\n\tsh tools/gen.sh > units.h\n' > Makefile; printf 't.out\nunits.h\n' > .gitignore
@ORACLE@ make check
"##,
        sessions: ["sed -i 's/KM/KILOMETRE/' tools/gen.sh km.c", "touch b.txt"],
        right: "grep -q KILOMETRE tools/gen.sh",
    },
    Trial {
        name: "cmake: x-macros in a file of their own",
        front: "",
        base: r##"mkdir -p tests ops; rm -f tests/*; printf 'OP(add)\n' > ops/all.def; printf 'static const char *names[] = {\n#define OP(x) #x,\n#include "ops/all.def"\n};\nconst char *first(void) { return names[0]; }\n' > ops.c; printf '#include <string.h>\nconst char *first(void);\nint main(void) { return strcmp(first(), "add"); }\n' > tests/test_ops.c; printf 'cmake_minimum_required(VERSION 3.10)\nproject(x C)\nenable_testing()\ninclude_directories(.)\nadd_executable(t tests/test_ops.c ops.c)\nadd_test(NAME t COMMAND t)\n' > CMakeLists.txt
@ORACLE@ cmake -S . -B build >/dev/null && cmake --build build >/dev/null && cd build && ctest --output-on-failure
"##,
        sessions: [
            r##"printf 'OPERATION(add)\n' > ops/all.def; sed -i 's/define OP(x)/define OPERATION(x)/' ops.c"##,
            "touch b.txt",
        ],
        right: "grep -q OPERATION ops/all.def",
    },
    Trial {
        name: "cmake: a file that configure_file fills in",
        front: "",
        base: r##"mkdir -p tests cmake; rm -f tests/*; printf '#define VERSION "@V@"\n' > cmake/version.h.in; printf '#include "version.h"\nconst char *version(void) { return VERSION; }\n' > v.c; printf '#include <string.h>\nconst char *version(void);\nint main(void) { return strcmp(version(), "1"); }\n' > tests/test_v.c; printf 'cmake_minimum_required(VERSION 3.10)\nproject(x C)\nset(V 1)\nenable_testing()\nconfigure_file(cmake/version.h.in ${CMAKE_BINARY_DIR}/version.h)\ninclude_directories(${CMAKE_BINARY_DIR})\nadd_executable(t tests/test_v.c v.c)\nadd_test(NAME t COMMAND t)\n' > CMakeLists.txt
@ORACLE@ cmake -S . -B build >/dev/null && cmake --build build >/dev/null && cd build && ctest --output-on-failure
"##,
        sessions: [
            r##"printf '#define APP_VERSION "@V@"\n' > cmake/version.h.in; sed -i 's/return VERSION/return APP_VERSION/' v.c"##,
            "touch b.txt",
        ],
        right: "grep -q APP_VERSION cmake/version.h.in",
    },
    Trial {
        name: "a program reads a table beside it",
        front: "",
        base: r##"@SHELL@
mkdir -p share tests; printf 'km 1000\n' > share/units.tab; printf 'while read name factor; do\n  if [ "$name" = "$1" ]; then expr $2 \\* $factor; fi\ndone < "$(dirname "$0")/share/units.tab"\n' > convert.sh; printf 'test "$(sh convert.sh km 2)" = 2000\n' > tests/run.sh
@ORACLE@ sh tests/run.sh
"##,
        sessions: [
            r##"printf 'km:1000\n' > share/units.tab; sed -i 's/while read/while IFS=: read/' convert.sh"##,
            "touch b.txt",
        ],
        right: "grep -q km:1000 share/units.tab",
    },
    Trial {
        name: "bats: an extensionless program and its functions",
        front: "",
        base: r##"mkdir -p bin functions tests; rm -f tests/*; printf '#!/bin/sh\nfor f in "$(dirname "$0")"/../functions/*; do . "$f"; done\n"$@"\n' > bin/app; chmod +x bin/app; printf 'greet() { echo "hello $1"; }\n' > functions/greet; printf '@test "greets" {\n  run bin/app greet Ada\n  [ "$output" = "hello Ada" ]\n}\n' > tests/app.bats
@ORACLE@ bats tests
"##,
        sessions: [
            r##"printf 'hello_() { echo "hello $1"; }\n' > functions/greet; printf '#!/bin/sh\nfor f in "$(dirname "$0")"/../functions/*; do . "$f"; done\ngreet() { hello_ "$@"; }\n"$@"\n' > bin/app"##,
            "touch b.txt",
        ],
        right: "grep -q hello_ functions/greet",
    },
    Trial {
        name: "chart values and templates",
        front: "",
        base: r##"@PYTHON@
mkdir -p charts/app/templates; printf 'port: 80\n' > charts/app/values.yaml; printf 'port: {{ .Values.port }}\n' > charts/app/templates/svc.yaml; mkdir -p tools tests; touch tests/__init__.py; printf 'import re\nimport unittest\n\n\nclass T(unittest.TestCase):\n    def test_render(self):\n        root = "charts/app/"\n        values = dict(l.strip().split(": ") for l in open(root + "values.yaml"))\n        text = open(root + "templates/svc.yaml").read()\n        self.assertIn("80", re.sub(r"{{ .Values.(\\w+) }}", lambda m: values[m[1]], text))\n' > tests/test_chart.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'servicePort: 80\n' > charts/app/values.yaml; printf 'port: {{ .Values.servicePort }}\n' > charts/app/templates/svc.yaml"##,
            "touch b.txt",
        ],
        right: "grep -q servicePort charts/app/values.yaml",
    },
    Trial {
        name: "migrations in sql and the code",
        front: "",
        base: r##"@PYTHON@
mkdir -p db/migrations; echo 'create table users (id int, mail text);' > db/migrations/0001_users.sql; printf 'import pathlib\nimport sqlite3\n\n\ndef database():\n    found = sqlite3.connect(":memory:")\n    for p in sorted(pathlib.Path(__file__).parent.joinpath("db", "migrations").iterdir()):\n        found.executescript(p.read_text())\n    return found\n\n\ndef add(mail):\n    d = database()\n    d.execute("insert into users (id, mail) values (1, ?)", [mail])\n    return d.execute("select mail from users").fetchone()[0]\n' > store.py; mkdir -p tests; touch tests/__init__.py; printf 'import unittest\nimport store\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(store.add("a"), "a")\n' > tests/test_store.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            "echo 'create table users (id int, email text);' > db/migrations/0001_users.sql; sed -i 's/(id, mail)/(id, email)/; s/select mail/select email/' store.py",
            "touch b.txt",
        ],
        right: "grep -q email store.py",
    },
    Trial {
        name: "settings in a subdirectory per service",
        front: "",
        base: r##"@PYTHON@
mkdir -p services/billing services/mail; printf '[retry]\ncount = 3\n' > services/billing/settings.toml; printf '[retry]\ncount = 1\n' > services/mail/settings.toml; printf 'import tomllib\n\n\ndef retries(service):\n    with open("/".join(["services", service, "settings.toml"]), "rb") as f:\n        return tomllib.load(f)["retry"]["count"]\n' > settings.py; mkdir -p tests; touch tests/__init__.py; printf 'import unittest\nimport settings\n\n\nclass T(unittest.TestCase):\n    def test_retries(self):\n        self.assertEqual(settings.retries("billing"), 3)\n' > tests/test_settings.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            "sed -i 's/count/tries/' services/*/settings.toml settings.py",
            "touch b.txt",
        ],
        right: "grep -q tries services/billing/settings.toml",
    },
    Trial {
        name: "a model's weights",
        front: "",
        base: r##"@PYTHON@
mkdir weights; printf '\002\003' > weights/w.bin; printf 'import os\n\n\ndef weights(name="w"):\n    return open(os.path.join(os.path.dirname(__file__), "weights", name + ".bin"), "rb").read()\n\n\ndef score(x):\n    return x * weights()[0]\n' > model.py; mkdir -p tests; touch tests/__init__.py; printf 'import unittest\nimport model\n\n\nclass T(unittest.TestCase):\n    def test_score(self):\n        self.assertEqual(model.score(2), 4)\n' > tests/test_model.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf '\003\002' > weights/w.bin; sed -i 's/weights()\[0\]/weights()[1]/' model.py"##,
            "touch b.txt",
        ],
        right: r##"grep -q '\[1\]' model.py"##,
    },
    Trial {
        name: "declared by the place in touches",
        front: "touches: [samples/**, parse.py, b.txt]\n",
        base: r##"@PYTHON@
mkdir samples; echo '1 2' > samples/a.txt; printf 'def parse(text):\n    return [int(x) for x in text.split()]\n' > parse.py; mkdir -p tests; touch tests/__init__.py; printf 'import pathlib\nimport unittest\nimport parse\n\n\nclass T(unittest.TestCase):\n    def test_all(self):\n        for p in pathlib.Path("samples").iterdir():\n            self.assertEqual(parse.parse(p.read_text()), [1, 2])\n' > tests/test_parse.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"echo '1,2' > samples/a.txt; sed -i 's/split()/split(",")/' parse.py"##,
            "touch b.txt",
        ],
        right: "grep -q 1,2 samples/a.txt",
    },
    Trial {
        name: "go: a table of the product in a file of its own",
        front: "",
        base: r##"@GO@
printf 'package calc\n\nvar rates = map[string]int{"de": 19}\n' > table.go; printf 'package calc\n\nfunc Add(a, b int) int { return a + b }\n\nfunc Rate(c string) int { return rates[c] }\n' > calc.go; sed -i 's/\t\tt.Fatal("wrong")/\t\tt.Fatal("wrong")\n\t}\n\tif Rate("de") != 19 || len(rates) == 0 {\n\t\tt.Fatal("rate")/' calc_test.go
@ORACLE@ go test ./...
"##,
        sessions: [
            r##"printf 'package calc\n\nvar rates = map[string]int{"DE": 19}\n' > table.go; sed -i 's/rates\[c\]/rates[strings.ToUpper(c)]/; s/^package calc/package calc\n\nimport "strings"/' calc.go"##,
            "touch b.txt",
        ],
        right: "grep -q DE table.go",
    },
    Trial {
        name: "a header of constants",
        front: "",
        base: r##"@SHELL@
mkdir -p tests; printf '#define RATE 19\nstatic const int table[] = {1, 2, 3};\n' > rates.h; printf '#include "rates.h"\nint rate(void) { return RATE + table[0]; }\n' > rate.c; printf '#include <stdlib.h>\n#include "../rates.h"\nint rate(void);\nint main(void) { if (rate() != 20 || sizeof table == 0) abort(); return 0; }\n' > tests/test_rate.c; printf 't.out\n' > .gitignore; printf 'check:\n\tcc -o t.out tests/test_rate.c rate.c && ./t.out\n' > Makefile
@ORACLE@ make check
"##,
        sessions: [
            r##"printf '#define VAT 19\nstatic const int table[] = {1, 2, 3};\n' > rates.h; sed -i 's/RATE + /VAT + /' rate.c"##,
            "touch b.txt",
        ],
        right: "grep -q VAT rates.h",
    },
    Trial {
        name: "a script with conditions that a program of the product calls",
        front: "",
        base: r##"@SHELL@
mkdir -p steps tests; printf 'if [ -z "$1" ]; then exit 1; fi\necho "hello $1"\n' > steps/greet.sh; printf 'HERE=$(dirname "$0")\nsh "$HERE/steps/$1.sh" "$2"\n' > app.sh; printf 'test "$(sh app.sh greet Ada)" = "hello Ada"\n' > tests/run.sh
@ORACLE@ sh tests/run.sh
"##,
        sessions: [
            r##"printf 'if [ -z "$NAME" ]; then exit 1; fi\necho "hello $NAME"\n' > steps/greet.sh; printf 'HERE=$(dirname "$0")\nNAME=$2 sh "$HERE/steps/$1.sh"\n' > app.sh"##,
            "touch b.txt",
        ],
        right: "grep -q NAME steps/greet.sh",
    },
    Trial {
        name: "a deploy script changes beside the product",
        front: "",
        base: r##"@SHELL@
mkdir -p ops tests; printf 'set -e\nif [ "$1" = prod ]; then echo live; else exit 2; fi\n' > ops/deploy.sh; printf 'test "$(sh add.sh 1 2)" = 3\n' > tests/run.sh
@ORACLE@ sh tests/run.sh
"##,
        sessions: [
            r##"printf 'set -e\nif [ "$1" = production ]; then echo live; else exit 2; fi\n' > ops/deploy.sh; echo 'expr "$1" + "$2"' > add.sh"##,
            "touch b.txt",
        ],
        right: "grep -q production ops/deploy.sh",
    },
    Trial {
        name: "make: data of the repository's own tools changes beside the product",
        front: "",
        base: r##"@SHELL@
mkdir -p tests labels; echo 'bug red' > labels/all.txt; printf 'check:\n\ttest "$$(sh add.sh 1 2)" = 3\n' > Makefile
@ORACLE@ make check
"##,
        sessions: [
            r##"echo 'bug blue' > labels/all.txt; echo 'expr "$1" + "$2"' > add.sh"##,
            "touch b.txt",
        ],
        right: "grep -q blue labels/all.txt",
    },
    Trial {
        name: "node: a helper that throws where what it is given differs, used by the product",
        front: "",
        base: r##"@NODE@
mkdir -p guard; printf 'exports.same = (a, b) => {\n  if (a !== b) throw new Error("differs");\n};\n' > guard/same.js; printf "const { same } = require('./guard/same.js');\nexports.add = (a, b) => { same(typeof a, typeof b); return a + b; };\n" > calc.js; sed -i "s/const { add }/require('..\/guard\/same.js');\nconst { add }/" tests/calc.test.js
@ORACLE@ node --test tests/
"##,
        sessions: [
            r##"printf 'exports.equal = (a, b) => {\n  if (a !== b) throw new Error("differs");\n};\n' > guard/same.js; printf "const { equal } = require('./guard/same.js');\nexports.add = (a, b) => { equal(typeof a, typeof b); return a + b; };\n" > calc.js"##,
            "touch b.txt",
        ],
        right: "grep -q equal guard/same.js",
    },
    Trial {
        name: "a validator and what it validates, apart",
        front: "",
        base: r##"@PYTHON@
printf 'def check(order):\n    total = sum(order["items"])\n    if total != order["total"]:\n        raise ValueError("sum")\n    return True\n' > validate.py; printf 'def build(*items):\n    return {"items": list(items), "total": sum(items)}\n' > order.py; mkdir -p tests; touch tests/__init__.py; printf 'import unittest\nfrom order import build\nfrom validate import check\n\n\nclass T(unittest.TestCase):\n    def test_all(self):\n        self.assertTrue(check(build(1, 2)))\n' > tests/test_all.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"sed -i 's/"total"/"sum"/' validate.py order.py"##,
            "touch b.txt",
        ],
        right: r##"grep -q '"sum"' validate.py"##,
    },
    Trial {
        name: "root data by a name that is put together",
        front: "",
        base: r##"@PYTHON@
printf 'de=19\n' > rates.de.txt; printf 'def rate(c):\n    return int(open("rates." + c + ".txt").read().split("=")[1])\n' > tax.py; mkdir -p tests; touch tests/__init__.py; printf 'import os\nimport unittest\nimport tax\n\n\nclass T(unittest.TestCase):\n    def test_all(self):\n        self.assertTrue(os.path.exists("rates.de.txt"))\n        self.assertEqual(tax.rate("de"), 19)\n' > tests/test_all.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'de:19\n' > rates.de.txt; sed -i 's/split("=")/split(":")/' tax.py"##,
            "touch b.txt",
        ],
        right: "grep -q 'de:19' rates.de.txt",
    },
    Trial {
        name: "documentation with examples that run",
        front: "",
        base: r##"@UNITTEST@
mkdir guide; printf 'Adding\n======\n\n>>> import calc\n>>> calc.add(1, 2)\n3\n' > guide/adding.rst
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v && python3 -B -m doctest guide/adding.rst
"##,
        sessions: [
            r##"printf 'Adding\n======\n\nTwo numbers at a time:\n\n>>> import calc\n>>> calc.add(1, 2)\n3\n' > guide/adding.rst; printf 'def add(a, b):\n    """Adds two numbers."""\n    return a + b\n' > calc.py"##,
            "touch b.txt",
        ],
        right: "grep -q Two guide/adding.rst",
    },
    Trial {
        name: "a static page beside the code",
        front: "",
        base: r##"@PYTHON@
mkdir -p site_; printf '<h1>{{ title }}</h1>\n' > site_/index.html; printf 'title: Hi\n' > site_/index.yml; printf 'import pathlib\n\n\ndef render(name):\n    page = pathlib.Path(__file__).parent / "site_" / name\n    values = dict(l.split(": ") for l in page.with_suffix(".yml").read_text().splitlines())\n    text = page.with_suffix(".html").read_text()\n    for k, v in values.items():\n        text = text.replace("{{ %%s }}" %% k, v)\n    return text.strip()\n' > render.py; mkdir -p tests; touch tests/__init__.py; printf 'import unittest\nimport render\n\n\nclass T(unittest.TestCase):\n    def test_all(self):\n        self.assertEqual(render.render("index"), "<h1>Hi</h1>")\n' > tests/test_all.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf '<h1>{{ heading }}</h1>\n' > site_/index.html; printf 'heading: Hi\n' > site_/index.yml"##,
            "touch b.txt",
        ],
        right: "grep -q heading site_/index.yml",
    },
];
