/** JSON as a peer may send it: `__proto__` and other inherited names are ordinary own keys. */
import type { JsonObject, JsonValue } from "@pushbutton/protocol/Json"
import * as fc from "effect/FastCheck"

const hostileKey = fc.constantFrom("__proto__", "constructor", "toString", "hasOwnProperty", "length", "")

const plain: fc.Arbitrary<JsonValue> = fc.json().map((text) => JSON.parse(text))

/** Own properties whatever the key, as `JSON.parse` makes them. */
const objectOf = (key: fc.Arbitrary<string>, value: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> =>
  fc.array(fc.tuple(key, value), { maxLength: 6 }).map((entries) => Object.fromEntries(entries))

export const jsonObject: fc.Arbitrary<JsonObject> = objectOf(fc.oneof(fc.string(), hostileKey), plain)

export const jsonValue: fc.Arbitrary<JsonValue> = fc.oneof(plain, jsonObject)

/** Objects that have some of the given members, mostly right and else of any JSON type, among hostile ones. */
export const objectWith = (members: {
  readonly [member: string]: fc.Arbitrary<JsonValue>
}): fc.Arbitrary<JsonObject> =>
  fc
    .tuple(
      jsonObject,
      ...Object.entries(members).map(([member, value]) =>
        fc.oneof(
          { weight: 4, arbitrary: value.map((right) => Object.fromEntries([[member, right]])) },
          { weight: 1, arbitrary: jsonValue.map((other) => Object.fromEntries([[member, other]])) },
          { weight: 1, arbitrary: fc.constant<JsonObject>({}) }
        )
      )
    )
    .map((parts) => Object.fromEntries(parts.flatMap((part) => Object.entries(part))))

/** Request ids of both types, the falsy ones often. */
export const requestId = fc.oneof(
  fc.constantFrom<string | number>(0, -1, "", "0", "1", 1),
  fc.maxSafeInteger(),
  fc.string()
)
