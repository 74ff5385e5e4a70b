import { expect, test } from 'vitest'
import { assistantOf, limited } from '../../verbs/assistant.ts'
import type { Request, Sender } from '../../verbs/request.ts'

/** An assistant over a server that answers all reads alike. */
function assistant(answer: unknown, headers: Record<string, string> = {}) {
  const requests: Request[] = []
  const sender: Sender = {
    url: 'https://fieldwork.test',
    async json(request) {
      requests.push(request)
      return { value: answer, headers: new Headers(headers) }
    },
  }
  const confirmations = {
    add: async () => 'c',
    take: async () => ({ reviewed: {}, reinstate: async () => {} }),
  } as never
  return { requests, assistant: assistantOf(sender, { writes: true, toWrite: 'a token', confirmations }) }
}
const sending = { signal: new AbortController().signal, progress: () => {} }
const found = (words: string) =>
  (assistant({}).assistant.find(words) as { commands: { command: string }[] }).commands.map(({ command }) => command)

test('commands are found by what people call them', () => {
  for (const [words, command] of [
    ['behind', 'project.list'],
    ['projects behind', 'project.list'],
    ['list all projects behind schedule', 'project.list'],
    ['pause', 'project.setStatus'],
    ['project list', 'project.list'],
    ['who are our customers', 'client.list'],
    ['undo', 'undo.take'],
  ] as const)
    expect(found(words), words).toContain(command)
  expect(found('xyzzy')).toEqual([])
  expect(() => assistant({}).assistant.describe('project.pause')).toThrow(
    'project.pause is an action of the command project.setStatus, with the record’s id as id, status "Paused", reason.',
  )
})

test('an answer is cut to its promised size, and says how to go on', async () => {
  const rows = Array.from({ length: 500 }, (_, id) => ({ id, name: `Record “${id}” "quoted"`.repeat(10) }))
  for (const answer of [{ data: rows }, { data: { text: '"'.repeat(100_000) } }, '"'.repeat(80_000)])
    expect(JSON.stringify(limited(answer)).length).toBeLessThanOrEqual(40_000)
  const link = { link: '</v3/portal/clients?cursor=abc>; rel="next"' }
  const { requests, assistant: one } = assistant({ data: rows, count: 900 }, link)
  const answer = (await one.read('client.list', {}, sending)) as { next_cursor: string; cut: string }
  expect([answer.next_cursor, answer.cut]).toEqual(['abc', expect.stringContaining('follow next_cursor')])
  expect(requests[0]!.url).not.toContain('brief')
})

test('an answer has the fields that are asked for, and is brief otherwise', async () => {
  const { requests, assistant: one } = assistant({ data: [{ id: 1, name: 'A', status: 'Active' }], count: 1 })
  expect(await one.read('project.list', { fields: ['id', 'name'] }, sending)).toEqual({ data: [{ id: 1, name: 'A' }], count: 1 })
  await one.read('project.list', {}, sending)
  expect(requests.map(({ url }) => url)).toEqual([
    '/v3/portal/projects?generation=any',
    '/v3/portal/projects?generation=any&brief=1',
  ])
  await expect(one.read('project.list', { fields: 'nmae' }, sending)).rejects.toThrow('there is no nmae')
})
