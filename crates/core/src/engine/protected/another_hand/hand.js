// A small `describe`, `test` and `expect`. What it does not know ends a test without an answer.
const hand$ = ((waits) => {
  class Unknown extends Error {}
  const unknown = (what) => {
    throw new Unknown(String(what));
  };
  const known = (object) =>
    new Proxy(object, { get: (o, key) => (key in o || typeof key === 'symbol' ? o[key] : unknown(key)) });

  const kind = (value) => Object.prototype.toString.call(value);
  const keys = (value) => Reflect.ownKeys(value).filter((key) => value[key] !== undefined);
  const same = (a, b) => {
    if (b && b.holds$) return b.holds$(a);
    if (Object.is(a, b)) return true;
    if (typeof a !== 'object' || typeof b !== 'object' || !a || !b || kind(a) !== kind(b)) return false;
    if (a instanceof Error) return a.message === b.message;
    if (kind(a) === '[object Date]' || kind(a) === '[object RegExp]') return String(+a || a) === String(+b || b);
    if (kind(a) === '[object Map]' || kind(a) === '[object Set]') return same([...a], [...b]);
    return keys(a).length === keys(b).length && keys(b).every((key) => key in a && same(a[key], b[key]));
  };
  const holds = (check) => ({ holds$: check });
  const part = (a, b) =>
    b && typeof b === 'object' && !b.holds$ && !Array.isArray(b)
      ? !!a && Object.keys(b).every((key) => part(a[key], b[key]))
      : same(a, b);
  const at = (value, way) =>
    (Array.isArray(way) ? way : String(way).split('.')).reduce((inner, key) => (inner == null ? inner : inner[key]), value);
  const throws = (call, want) => {
    let error;
    try {
      if (typeof call !== 'function') error = call;
      else call();
    } catch (thrown) {
      error = thrown;
    }
    if (error === undefined) return false;
    if (want === undefined) return true;
    if (typeof want === 'function') return error instanceof want;
    if (want instanceof RegExp || kind(want) === '[object RegExp]') return want.test(error.message);
    return typeof want === 'string' ? String(error.message).includes(want) : error.message === want.message;
  };
  const matchers = {
    toBe: (a, b) => Object.is(a, b),
    toEqual: same,
    toStrictEqual: same,
    toBeCloseTo: (a, b, digits = 2) => Math.abs(a - b) < 10 ** -digits / 2,
    toBeNull: (a) => a === null,
    toBeUndefined: (a) => a === undefined,
    toBeDefined: (a) => a !== undefined,
    toBeNaN: (a) => Number.isNaN(a),
    toBeTruthy: (a) => !!a,
    toBeFalsy: (a) => !a,
    toBeGreaterThan: (a, b) => a > b,
    toBeGreaterThanOrEqual: (a, b) => a >= b,
    toBeLessThan: (a, b) => a < b,
    toBeLessThanOrEqual: (a, b) => a <= b,
    toBeInstanceOf: (a, b) => a instanceof b,
    toBeTypeOf: (a, b) => typeof a === b,
    toContain: (a, b) => (typeof a === 'string' ? a.includes(b) : [...a].includes(b)),
    toContainEqual: (a, b) => [...a].some((one) => same(one, b)),
    toHaveLength: (a, b) => a.length === b,
    toHaveProperty: (a, way, ...b) => at(a, way) !== undefined && (!b.length || same(at(a, way), b[0])),
    toMatch: (a, b) => (typeof b === 'string' ? a.includes(b) : b.test(a)),
    toMatchObject: part,
    toThrow: throws,
    toThrowError: throws,
    toHaveBeenCalled: (a) => a.mock.calls.length > 0,
    toHaveBeenCalledOnce: (a) => a.mock.calls.length === 1,
    toHaveBeenCalledTimes: (a, b) => a.mock.calls.length === b,
    toHaveBeenCalledWith: (a, ...b) => a.mock.calls.some((one) => same(one, b)),
    toHaveBeenLastCalledWith: (a, ...b) => same(a.mock.calls.at(-1), b),
  };
  const fn = (first) => {
    let run = first;
    const mock = { calls: [], results: [] };
    const called = function (...given) {
      mock.calls.push(given);
      const value = run?.apply(this, given);
      mock.results.push({ type: 'return', value });
      return value;
    };
    const be = (next) => ((run = next), called);
    return Object.assign(called, {
      mock,
      mockImplementation: be,
      mockReturnValue: (value) => be(() => value),
      mockResolvedValue: (value) => be(async () => value),
      mockClear: () => ((mock.calls.length = mock.results.length = 0), called),
    });
  };
  const judge = (value, wants, settle) =>
    known({
      ...Object.fromEntries(
        Object.entries(matchers).map(([name, matcher]) => {
          const decide = (actual, args) => {
            if (matcher(actual, ...args) === wants) return;
            throw Object.assign(new Error(name), { name: 'AssertionError' });
          };
          return [name, (...args) => (settle ? settle(value).then((actual) => decide(actual, args)) : decide(value, args))];
        }),
      ),
      ...(wants ? { get not() { return judge(value, false, settle); } } : {}),
      get resolves() { return judge(value, wants, (given) => Promise.resolve(typeof given === 'function' ? given() : given)); },
      get rejects() {
        return judge(value, wants, (given) =>
          Promise.resolve(typeof given === 'function' ? given() : given).then(() => undefined, (error) => error));
      },
    });
  const expect = known(
    Object.assign((value) => judge(value, true), {
      any: (type) => holds((a) => a != null && (Object(a) instanceof type || kind(Object(a)) === `[object ${type.name}]`)),
      anything: () => holds((a) => a != null),
      objectContaining: (b) => holds((a) => part(a, b)),
      arrayContaining: (b) => holds((a) => b.every((want) => a.some((one) => same(one, want)))),
      stringContaining: (b) => holds((a) => String(a).includes(b)),
      stringMatching: (b) => holds((a) => new RegExp(b).test(a)),
      assertions: () => {},
      hasAssertions: () => {},
      extend: (own) => {
        for (const [name, matcher] of Object.entries(own)) {
          matchers[name] = (...given) => matcher.call({ equals: same }, ...given).pass;
        }
      },
    }),
  );

  const group = () => ({ steps: [], before: [], beforeEach: [], afterEach: [], after: [] });
  let open = group();
  const root = open;
  const body = (given) => given.find((one) => typeof one === 'function');
  const leftOut = (given) => given.some((one) => one && typeof one === 'object' && (one.skip || one.todo));
  const rowsOf = (table, values) => {
    if (!table.raw) return table.map((row) => (Array.isArray(row) ? row : [row]));
    const names = table[0].split('|').map((name) => name.trim());
    const rows = [];
    while (values.length) rows.push([Object.fromEntries(names.map((name) => [name, values.shift()]))]);
    return rows;
  };
  const each = (make) => (table, ...values) => {
    const rows = rowsOf(table, values);
    return (name, ...given) => rows.forEach((row) => make(name, () => body(given)(...row)));
  };
  const variants = (make) =>
    known(
      Object.assign(make, {
        each: each(make),
        concurrent: make,
        sequential: make,
        skip: () => {},
        todo: () => {},
        skipIf: (without) => (without ? () => {} : make),
        runIf: (wanted) => (wanted ? make : () => {}),
        if: (wanted) => (wanted ? make : () => {}),
      }),
    );
  const describe = variants((name, ...given) => {
    const outer = open;
    const inner = group();
    if (leftOut(given) || !body(given)) return;
    outer.steps.push(inner);
    open = inner;
    body(given).call({}, {});
    open = outer;
  });
  const test = variants((name, ...given) => {
    const run = typeof name === 'function' ? name : body(given);
    if (run && !leftOut(given)) open.steps.push(run);
  });
  const hook = (when) => (...given) => open[when].push(body(given));

  const call = (run) => {
    if (!run.length) return run.call({});
    const add = (name, ...given) => call(body(given));
    const context = { test: add, it: add, expect, diagnostic: () => {}, name: '', signal: undefined };
    if (!waits) return run.call({}, known(context));
    return new Promise((settle, refuse) => {
      const done = (error) => (error ? refuse(error) : settle());
      Promise.resolve(run.call({}, Object.assign(done, { fail: refuse }))).catch(refuse);
    });
  };
  // What has nothing to wait for is called at once: whoever looks up the stack sees who calls.
  const inTurn = (first, step, last) => {
    if (first.length + last.length === 0) return () => call(step);
    return async () => {
      for (const run of first) await call(run);
      try {
        await call(step);
      } finally {
        for (const run of last) await call(run);
      }
    };
  };
  const flat = (of, first, last) => {
    const [before, after] = [[...first, ...of.beforeEach], [...of.afterEach, ...last]];
    const cases = of.steps.flatMap((step) =>
      typeof step === 'function' ? [inTurn(before, step, after)] : flat(step, before, after),
    );
    if (cases.length && of.before.length) cases[0] = inTurn(of.before, cases[0], []);
    if (cases.length && of.after.length) cases.push(inTurn([], cases.pop(), of.after));
    return cases;
  };
  const names = { describe, suite: describe, context: describe, test, it: test, specify: test, expect };
  const hooks = { before: 'before', beforeAll: 'before', after: 'after', afterAll: 'after', setup: 'beforeEach', teardown: 'afterEach' };
  for (const [name, when] of Object.entries({ ...hooks, beforeEach: 'beforeEach', afterEach: 'afterEach' })) names[name] = hook(when);
  return {
    ...names,
    own: known({ fn }),
    // Every test, in order, with what it needs before and after.
    cases: () =>
      flat(root, [], []).map((run) => async () => {
        try {
          await run();
        } catch (error) {
          if (!(error instanceof Unknown)) throw error;
        }
      }),
  };
})(WAITS);
