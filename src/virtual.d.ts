declare module 'virtual:calls' {
  /** Every call without its zod: id → method, path, nouns that it refreshes, who may make it; made from contract/ by scripts/virtual-calls.ts. */
  export const calls: Readonly<
    Record<
      keyof typeof import('../contract/calls.ts').calls,
      readonly [
        method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
        path: string,
        refreshes: readonly string[],
        who?: 'partner' | 'admin',
      ]
    >
  >
  /** Fetches the rows that the first screen does not call, into `calls`. Rejects when they can't be had; asking again tries again. */
  export function loadCalls(): Promise<void>
}
