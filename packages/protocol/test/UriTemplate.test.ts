import { assert, describe, it } from "@effect/vitest"
import { assertLeft } from "@effect/vitest/utils"
import * as Uri from "@pushbutton/protocol/Uri"
import * as UriTemplate from "@pushbutton/protocol/UriTemplate"
import * as Either from "effect/Either"

const parsed = (template: string) => Either.getOrThrow(UriTemplate.parse(template))

const matched = (template: string, uri: string) => {
  const normal = Uri.normalize(uri)
  assert.isDefined(normal, uri)
  return UriTemplate.match(parsed(template), normal ?? "")
}

const checkMatches = (template: string, rows: ReadonlyArray<readonly [string, object | undefined]>) => {
  for (const [uri, expected] of rows) {
    assert.deepStrictEqual<unknown>(matched(template, uri), expected, `${template} with ${uri}`)
  }
}

describe("UriTemplate", () => {
  describe("parse", () => {
    it("names the variables in the order of the template", () => {
      assert.deepStrictEqual(parsed("x://{b}/{a,c}{/rest*}{?q,lang}{#top}").variables, [
        "b",
        "a",
        "c",
        "rest",
        "q",
        "lang",
        "top"
      ])
    })

    it("keeps the text as written", () => {
      assert.strictEqual(parsed("X://café/{id}").template, "X://café/{id}")
    })

    it("says why a text is no template that can be served", () => {
      for (const [template, why] of [
        ["", "has to start with a scheme"],
        ["{id}", "has to start with a scheme"],
        ["{scheme}://a", "has to start with a scheme"],
        ["x://{id", "has a brace that is not closed"],
        ["x://id}", "has a character that a URI cannot have"],
        ["x://a b/{id}", "has a character that a URI cannot have"],
        ["x://%zz/{id}", "has a character that a URI cannot have"],
        ["x://{}", "has an expression that is not supported: {}"],
        ["x://{+}", "has an expression that is not supported: {+}"],
        ["x://{a b}", "has an expression that is not supported: {a b}"],
        ["x://{a,}", "has an expression that is not supported: {a,}"],
        ["x://{a:3}", "has an expression that is not supported: {a:3}"],
        ["x://{=a}", "has an expression that is not supported: {=a}"],
        ["x://{{a}}", "has an expression that is not supported: {{a}"],
        ["x://{a*}", "has an expression that is not supported: {a*}; only {/name*} takes a list"],
        ["x://{?a*}", "has an expression that is not supported: {?a*}; only {/name*} takes a list"],
        ["x://{/a,b*}", "has an expression that is not supported: {/a,b*}; only {/name*} takes a list"],
        ["x://{a}/{a}", "has the variable a twice"],
        ["x://{a,a}", "has the variable a twice"],
        ["x://{a}{b}", "has two expressions side by side that cannot be told apart"],
        ["x://{a}{+b}", "has two expressions side by side that cannot be told apart"],
        ["x://a{?b}{&c}", "has two expressions side by side that should be one"],
        ["x://a{;b}{;c}", "has two expressions side by side that should be one"],
        [`x://${"a".repeat(8192)}`, "is longer than 8192 characters"]
      ] as const) {
        assertLeft(UriTemplate.parse(template), why)
      }
    })
  })

  describe("expand", () => {
    const values = {
      var: "value",
      hello: "Hello World!",
      empty: "",
      path: "/foo/bar",
      x: "1024",
      y: "768",
      list: ["red", "a/b"],
      none: [],
      half: "50%",
      encoded: "%C3%A9",
      accent: "é😀"
    }

    it("follows RFC 6570", () => {
      for (const [template, expected] of [
        ["x:{var}", "x:value"],
        ["x:{hello}", "x:Hello%20World%21"],
        ["x:{path}", "x:%2Ffoo%2Fbar"],
        ["x:{x,hello,y}", "x:1024,Hello%20World%21,768"],
        ["x:{x,empty}", "x:1024,"],
        ["x:{x,undef}", "x:1024"],
        ["x:{+hello}", "x:Hello%20World!"],
        ["x:{+path}/here", "x:/foo/bar/here"],
        ["x:{+half}", "x:50%25"],
        ["x:{+encoded}", "x:%C3%A9"],
        ["x:{encoded}", "x:%25C3%25A9"],
        ["x:{accent}", "x:%C3%A9%F0%9F%98%80"],
        ["x:{#path,x}", "x:#/foo/bar,1024"],
        ["x:{#undef}", "x:"],
        ["x:X{.x,y}", "x:X.1024.768"],
        ["x:{/var,x}/here", "x:/value/1024/here"],
        ["x:{/var,undef}", "x:/value"],
        ["x:{/list*}", "x:/red/a%2Fb"],
        ["x:{/none*}", "x:"],
        ["x:a{;x,y,empty}", "x:a;x=1024;y=768;empty"],
        ["x:{?x,y,empty}", "x:?x=1024&y=768&empty="],
        ["x:{?undef}", "x:"],
        ["x:{?undef,y}", "x:?y=768"],
        ["x:?fixed=yes{&x}", "x:?fixed=yes&x=1024"],
        ["x:café/{var}", "x:caf%C3%A9/value"],
        ["x:{toString}", "x:"]
      ] as const) {
        assert.strictEqual(UriTemplate.expand(parsed(template), values), expected, template)
      }
    })
  })

  describe("match", () => {
    it("reads one variable from its place, to the end of it", () => {
      checkMatches("test://template/{id}/data", [
        ["test://template/123/data", { id: "123" }],
        ["TEST://template/123/data", { id: "123" }],
        ["test://template/a.b-c_~:@,;=/data", { id: "a.b-c_~:@,;=" }],
        ["test://template//data", undefined],
        ["test://template/123", undefined],
        ["test://template/123/data/", undefined],
        ["test://template/1/2/data", undefined],
        ["test://template/1?2/data", undefined],
        ["test://other/123/data", undefined]
      ])
    })

    it("decodes once", () => {
      checkMatches("x://{id}", [
        ["x://caf%C3%A9", { id: "café" }],
        ["x://café", { id: "café" }],
        ["x://%2541", { id: "%41" }],
        ["x://a%20b", { id: "a b" }],
        ["x://a+b", { id: "a+b" }]
      ])
    })

    // verifies: P-92
    it("takes a literal beyond ASCII raw and encoded, in the template and in the URI", () => {
      for (const template of ["x://café/{name}", "x://caf%c3%a9/{name}"]) {
        checkMatches(template, [
          ["x://café/a", { name: "a" }],
          ["x://caf%C3%A9/a", { name: "a" }],
          ["x://caf%c3%a9/a", { name: "a" }],
          ["x://cafe/a", undefined]
        ])
      }
    })

    it("keeps a path segment from leading out of its folder", () => {
      for (const [template, lead] of [
        ["x://{a}", "x://"],
        ["x://r{/a}", "x://r/"],
        ["x://r{/a*}", "x://r/"],
        ["x://r{.a}", "x://r."],
        ["x://r{;a}", "x://r;a="]
      ] as const) {
        for (const value of [
          "%2F",
          "a%2fb",
          "%5C",
          "a%5cb",
          ".",
          "..",
          "%2e%2E",
          ".%2e",
          "%00",
          "a%0A",
          "%7F",
          "%C2%85"
        ]) {
          checkMatches(template, [[lead + value, undefined]])
        }
        assert.isDefined(matched(template, `${lead}...`), template)
        assert.isDefined(matched(template, `${lead}%252F`), template)
      }
    })

    it("lets a reserved variable have separators, but neither dot segments nor control characters", () => {
      checkMatches("file:///{+path}", [
        ["file:///a/b.txt", { path: "a/b.txt" }],
        ["file:///a%2Fb", { path: "a/b" }],
        ["file:///a?b#c", { path: "a?b#c" }],
        ["file:///..a/b..", { path: "..a/b.." }],
        ["file:///", undefined],
        ["file:///../a", undefined],
        ["file:///a/..", undefined],
        ["file:///a/%2e%2e/b", undefined],
        ["file:///a/..%2Fb", undefined],
        ["file:///a%5C..%5Cb", undefined],
        ["file:///a/./b", undefined],
        ["file:///a%00", undefined]
      ])
    })

    it("lets queries and fragments have anything but control characters", () => {
      checkMatches("x://s{?q}", [
        ["x://s?q=../a%2Fb%5Cc", { q: "../a/b\\c" }],
        ["x://s?q=%00", undefined]
      ])
      checkMatches("x://s{#at}", [
        ["x://s#../a", { at: "../a" }],
        ["x://s#%01", undefined]
      ])
    })

    it("refuses values that are not UTF-8", () => {
      for (const value of ["%ff", "%c3", "%c0%af", "%ed%a0%80"]) {
        checkMatches("x://{id}", [[`x://${value}`, undefined]])
        checkMatches("x://s{?q}", [[`x://s?q=${value}`, undefined]])
      }
    })

    it("reads named variables in any order, and as missing", () => {
      checkMatches("x://s{?q,lang}", [
        ["x://s", {}],
        ["x://s?q=1", { q: "1" }],
        ["x://s?lang=de&q=1", { q: "1", lang: "de" }],
        ["x://s?q=", { q: "" }],
        ["x://s?q", { q: "" }],
        ["x://s?q=a=b?c", { q: "a=b?c" }],
        ["x://s?", undefined],
        ["x://s?q=1&q=2", undefined],
        ["x://s?other=1", undefined],
        ["x://s?q=1&", undefined],
        ["x://s?__proto__=1", undefined]
      ])
      checkMatches("x://s?v=1{&q}", [
        ["x://s?v=1", {}],
        ["x://s?v=1&q=2", { q: "2" }],
        ["x://s?v=2&q=2", undefined]
      ])
      checkMatches("x://s{;a,b}/t", [
        ["x://s/t", {}],
        ["x://s;b=1;a/t", { a: "", b: "1" }]
      ])
    })

    it("ends a variable where a later expression starts", () => {
      checkMatches("x://{id}{;v}{?q}{#at}", [
        ["x://a", { id: "a" }],
        ["x://a;v=1?q=2#3", { id: "a", v: "1", q: "2", at: "3" }],
        ["x://a#", { id: "a", at: "" }]
      ])
      checkMatches("x://{+path}{?q}", [
        ["x://a/b?q=1", { path: "a/b", q: "1" }],
        ["x://a/b?r=1", undefined]
      ])
    })

    it("lets a variable take what it can where several readings fit", () => {
      checkMatches("x://{name}.{kind}", [
        ["x://archive.tar.gz", { name: "archive.tar", kind: "gz" }],
        ["x://archive", undefined]
      ])
      checkMatches("x://{+dir}/{file}", [["x://a/b/c", { dir: "a/b", file: "c" }]])
      checkMatches("x://{name}{.kind}", [["x://a.b.c", { name: "a.b", kind: "c" }]])
    })

    it("reads lists of variables and of segments", () => {
      checkMatches("x://{x,y}", [
        ["x://1,2", { x: "1", y: "2" }],
        ["x://1", undefined],
        ["x://1,2,3", undefined]
      ])
      checkMatches("x://r{/a,b}", [
        ["x://r/1/2", { a: "1", b: "2" }],
        ["x://r/1", undefined]
      ])
      checkMatches("x://r{/rest*}", [
        ["x://r/1", { rest: ["1"] }],
        ["x://r/1/b%20c", { rest: ["1", "b c"] }],
        ["x://r", undefined],
        ["x://r/", undefined],
        ["x://r//1", undefined],
        ["x://r/1/", undefined],
        ["x://r/1/..", undefined]
      ])
      checkMatches("x://r{#a,b}", [
        ["x://r#1,2", { a: "1", b: "2" }],
        ["x://r#1", undefined]
      ])
    })

    it("keeps a variable named `__proto__` a member", () => {
      const variables = matched("x://{__proto__}", "x://1")
      assert.deepStrictEqual(Object.entries(variables ?? {}), [["__proto__", "1"]])
    })

    it("matches a template without variables literally", () => {
      checkMatches("x://a%7e", [
        ["x://a~", {}],
        ["x://a", undefined]
      ])
    })
  })
})
