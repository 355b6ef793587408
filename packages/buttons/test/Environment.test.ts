import { assert, describe, it } from "@effect/vitest"
import * as Environment from "@pushbutton/buttons/Environment"

const parts: Environment.Parts = { server: {}, batteries: {}, button: {}, args: {}, progressPath: undefined }

describe("Environment.make", () => {
  it("lets only the listed variables of the server through", () => {
    const env = Environment.make({
      ...parts,
      server: {
        PATH: "/bin",
        HOME: "/home/x",
        LC_ALL: "C",
        TZ: "UTC",
        TERM: "xterm",
        USER: undefined,
        API_TOKEN: "secret",
        BUTTONS_HOME: "/data",
        NODE_OPTIONS: "--inspect",
        LD_PRELOAD: "/x.so"
      }
    })
    assert.deepStrictEqual(env, { PATH: "/bin", HOME: "/home/x", LC_ALL: "C", TZ: "UTC", TERM: "dumb" })
  })

  it("lets batteries win over the server's variables, the button's over those, arguments next, and progress over all", () => {
    const env = Environment.make({
      server: { PATH: "/bin" },
      batteries: { BUTTONS_BAT_KEY: "charged", BUTTONS_BAT_OTHER: "charged" },
      button: {
        BUTTONS_BAT_OTHER: "own",
        PATH: "/opt/bin",
        TERM: "xterm",
        BUTTONS_ARG_A: "default",
        BUTTONS_PROGRESS_PATH: "/x"
      },
      args: { BUTTONS_ARG_A: "given" },
      progressPath: "/p"
    })
    assert.deepStrictEqual(env, {
      PATH: "/opt/bin",
      TERM: "xterm",
      BUTTONS_BAT_KEY: "charged",
      BUTTONS_BAT_OTHER: "own",
      BUTTONS_ARG_A: "given",
      BUTTONS_PROGRESS_PATH: "/p"
    })
  })

  it("names no progress file when there is none", () => {
    assert.deepStrictEqual(Environment.make(parts), { TERM: "dumb" })
  })
})
