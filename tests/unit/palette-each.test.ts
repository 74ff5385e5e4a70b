import { setTimeout as later } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { type Command, command } from '../../src/commands/command.ts'
import type { Subject } from '../../src/commands/subject.ts'
import { type Api, ApiError } from '../../src/data/api.ts'
import { AT_ONCE, mapConcurrent } from '../../src/data/mapConcurrent.ts'
import { doEach } from '../../src/runner/bulk.ts'
import { afterDryRun, effectOf, nobodyLeft } from '../../src/runner/reviewText.ts'

const subjects = (many: number): Subject[] =>
  Array.from({ length: many }, (_, at) => ({ kind: 'project', id: at + 1, name: `Project ${at + 1}` }))
const stop = () => new AbortController()
const hooks = (signal = stop().signal) => ({ api: {} as Api, signal, progress: () => {} })
const refused = (message: string, status = 409, more = {}) => new ApiError(status, 'not_now', message, { more })
const doing = (one: (subject: Subject) => Promise<unknown>) =>
  command({
    title: 'Pause…',
    on: 'project',
    each: {
      done: 'project.pause',
      one: ({ subject }) => one(subject),
    },
  }) as unknown as Parameters<typeof doEach>[0]

describe('a command done record by record', () => {
  it('runs a few at a time, never more', async () => {
    let now = 0
    let most = 0
    await mapConcurrent(subjects(20), hooks(), async () => {
      most = Math.max(most, ++now)
      await later()
      now--
    })
    expect(most).toBe(AT_ONCE)
  })
  it('reports how many succeeded', async () =>
    expect(
      (
        await doEach(
          doing(() => later() as never),
          subjects(7),
          {},
          hooks(),
        )
      ).message,
    ).toBe('7 projects are paused'))
  it('names a single record, and counts many', async () => {
    const [first, other] = subjects(2) as [Subject, Subject]
    expect(
      (
        await doEach(
          doing(() => later() as never),
          [first],
          {},
          hooks(),
        )
      ).message,
    ).toBe('“Project 1” is paused')
    const half = doing(async ({ id }) => {
      if (id === 2) throw refused('it is approved, not active')
    })
    expect((await doEach(half, [first, other], {}, hooks())).message).toBe('1 of 2 projects is paused')
  })
  it('lists refusals by name and reason, and runs the rest', async () => {
    const pause = doing(async ({ id }) => {
      if (id === 2) throw refused('it is approved, not active')
    })
    expect(await doEach(pause, subjects(3), {}, hooks())).toMatchObject({
      message: '2 of 3 projects are paused',
      refused: [{ id: 2, name: 'Project 2', reason: 'it is approved, not active' }],
    })
  })
  it('stops between two records when cancelled, and offers the rest', async () => {
    const cancel = stop()
    const done: number[] = []
    const pause = doing(async ({ id }) => {
      done.push(id)
      if (id === 5) cancel.abort()
      await later()
    })
    const result = await doEach(pause, subjects(100), {}, hooks(cancel.signal))
    expect(done.length).toBeLessThanOrEqual(8)
    expect(result.message).toBe(`Stopped: ${done.length} of 100 projects are paused; the rest didn’t change`)
    expect(result.rest?.map(({ id }) => id)).toEqual(subjects(100).flatMap(({ id }) => (done.includes(id) ? [] : [id])))
  })
  it('ends if the server is lost, and lists what wasn’t tried', async () => {
    const pause = doing(async ({ id }) => {
      if (id > 2) throw new ApiError(0, 'unreachable', 'Can’t reach the server.')
    })
    const result = await doEach(pause, subjects(10), {}, hooks())
    expect(result.message).toBe('2 of 10 projects are paused. Then: Can’t reach the server.')
    expect(result.refused?.map(({ id }) => id).sort((a, b) => a - b)).toEqual([3, 4, 5, 6, 7, 8, 9, 10])
  })
  it('reports what was done, even if our own code fails midway', async () => {
    const heard = vi.spyOn(console, 'error').mockImplementation(() => {})
    const pause = doing(async ({ id }) => {
      if (id === 3) throw new TypeError('no such thing')
    })
    const result = await doEach(pause, subjects(3), {}, hooks())
    expect(result.message).toMatch(/^2 of 3 projects are paused\. Then: Something went wrong in the workspace/)
    expect(result.refused?.map(({ id }) => id)).toEqual([3])
    expect(heard).toHaveBeenCalledOnce()
    heard.mockRestore()
  })
  it('waits when the server says "too many requests"', async () => {
    let tries = 0
    const outcome = await mapConcurrent(subjects(1), hooks(), async () => {
      if (++tries === 1) throw refused('Too many tries', 429, { retry_after: 0.01 })
    })
    expect([tries, outcome.done.length]).toEqual([2, 1])
  })
  it('throws for a single record, so its answers can be edited', async () => {
    const pause = doing(async () => {
      throw refused('it is approved, not active')
    })
    await expect(doEach(pause, subjects(1), {}, hooks())).rejects.toThrow('it is approved, not active')
  })
})

describe('a dry run', () => {
  const pause = doing(() => later() as never) as Command
  const of = (able: number, reasons: string[]) =>
    effectOf(pause, {
      subjects: subjects(able),
      answers: {},
      left: reasons.map((reason, at) => ({ subject: { kind: 'project', id: 900 + at, name: `Left ${at + 1}` }, reason })),
    })
  it('says how many can, and which can’t, by name and reason', () =>
    expect(of(5, ['the cost is not set yet', 'it is paused, not active']).left).toBe(
      '5 of 7 can be done; 2 skipped: “Left 1” – the cost is not set yet; “Left 2” – it is paused, not active.',
    ))
  it('counts by reason for many', () =>
    expect(of(5, ['a', 'a', 'b', 'a', 'c', 'd']).left).toBe(
      '5 of 11 can be done; 6 skipped: 3 – a; 1 – b; 1 – c; 1 – for other reasons.',
    ))
  it('says nothing if all can', () => expect(of(5, []).left).toBeNull())
  it('asks about exactly those affected', () => expect(of(5, ['a']).title).toBe('Pause: 5 projects?'))
})

describe('a dry run with the answers', () => {
  const change = command({
    title: 'Change…',
    on: 'project',
    excludes: ({ id }: Subject, answers: object) => (id === (answers as { to?: number }).to ? 'it is that already' : null),
    each: { done: 'project.edit', one: async () => {} },
  }) as unknown as Command
  const asking = (many: number, to?: number) =>
    ({
      id: 'x',
      subjects: subjects(many),
      answers: { to },
      left: [],
      via: 'key',
      settled: [],
      errors: {},
      key: 1,
    }) as unknown as Parameters<typeof afterDryRun>[1]

  it('skips subjects the answers exclude, with reasons', () => {
    const dry = afterDryRun(change, asking(5, 3))
    expect(dry.subjects.map(({ id }) => id)).toEqual([1, 2, 4, 5])
    expect(effectOf(change, dry).left).toBe('4 of 5 can be done; 1 skipped: “Project 3” – it is that already.')
  })
  it('changes nothing if none is excluded', () => {
    const before = asking(5)
    expect(afterDryRun(change, before)).toBe(before)
  })
  it('says so if none is left', () =>
    expect(nobodyLeft(afterDryRun(change, asking(1, 1)))).toBe('“Project 1”: it is that already'))
})
