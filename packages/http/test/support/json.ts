// biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of any shape, and a wrong look fails the test.
export type Json = any
