declare module 'virtual:calls' {
  /** Every call without its zod: id → method, path, nouns that it refreshes; made from contract/calls.ts by scripts/virtual-calls.ts. */
  export const calls: Readonly<
    Record<
      keyof typeof import('../contract/calls.ts').calls,
      readonly [method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, refreshes: readonly string[]]
    >
  >
}
