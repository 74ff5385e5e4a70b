import { expect, test, vi } from 'vitest'

const ended = vi.hoisted(() => ({ results: [] as object[], said: [] as string[] }))
vi.mock('../../src/runner/followJob.ts', () => ({
  whenEnded: (_: unknown, then: (done: unknown) => void) => then(ended.results.map((result) => ({ result }))),
}))
vi.mock('../../src/runner/toast.tsx', () => ({ toast: (sentence: string) => void ended.said.push(sentence) }))
vi.mock('../../src/runner/lazyRunner.ts', () => ({ start: () => {} }))

const { followPayout } = await import('../../src/runner/followPayout.ts')

/** The messages on three selected rewards once their jobs have ended. */
function messagesOf(...results: object[]): string[] {
  Object.assign(ended, { results, said: [] })
  const subject = (id: number) => ({ kind: 'entry', id, name: `r${id}`, allowed_actions: [], refused_actions: {} }) as const
  followPayout([1], [1, 2, 3].map(subject))
  return ended.said
}

test('a payout says how many rewards were sent, not how many were chosen', () => {
  expect(messagesOf({ sent: 2, returned: 0, rejected: 0, total: 2 })).toEqual(['2 rewards paid.'])
  expect(messagesOf({ sent: 1, returned: 0, rejected: 0, total: 1 })).toEqual(['1 reward paid.'])
})

test('a payout that sent nothing says nothing', () => {
  expect(messagesOf({ sent: 0, returned: 0, rejected: 0, total: 0 })).toEqual([])
})
