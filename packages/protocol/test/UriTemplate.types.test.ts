import { assert, describe, it } from "@effect/vitest"
import type * as UriTemplate from "@pushbutton/protocol/UriTemplate"

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

const check = <A, B>(same: Same<A, B>) => assert.isTrue(same)

describe("UriTemplate.Variables", () => {
  it("reads names and kinds off the text of a template", () => {
    check<UriTemplate.Variables<"x://a">, Record<never, never>>(true)
    check<
      UriTemplate.Variables<"x://{a}/{+b}{.c}">,
      { readonly a: string; readonly b: string; readonly c: string }
    >(true)
    check<UriTemplate.Variables<"x://{a,b}{/c,d}">["d"], string>(true)
    check<UriTemplate.Variables<"x://r{/rest*}">, { readonly rest: ReadonlyArray<string> }>(true)
    check<
      UriTemplate.Variables<"x://{id}{?q,lang}{#at}">,
      {
        readonly id: string
        readonly q?: string | undefined
        readonly lang?: string | undefined
        readonly at?: string | undefined
      }
    >(true)
    check<UriTemplate.Variables<string>, UriTemplate.Values>(true)
  })
})
