import { describe, expect, it } from 'vitest'
import { ask, type Command, command } from '../../src/commands/command.ts'
import { currentId } from '../../src/commands/commandAliases.ts'
import { currentAnswers } from '../../src/commands/commandLink.ts'
import { initialAnswers } from '../../src/commands/commandQuestions.ts'
import type { Subject } from '../../src/commands/subject.ts'
import { answer, back, confirmsHere, goTo, isReady, startSteps } from '../../src/palette/steps.ts'
import { currentKeys, effective, keysOf, movedFrom } from '../../src/runner/keys/bindings.ts'
import type { Asking } from '../../src/runner/runnerState.ts'
import { isCommandId } from '../support/commands.ts'

const project: Subject = { kind: 'project', id: 1, name: 'Oats' }
const table = command({
  title: 'Quote…',
  on: 'project',
  asks: {
    size: ask.option({
      label: 'Size',
      usual: true,
      options: [
        { value: 'small', label: 'Small' },
        { value: 'large', label: 'Large' },
      ],
      prefill: () => 'small',
    }),
    cost: ask.number({
      label: 'Cost',
      follows: 'size',
      prefill: (_subjects: readonly Subject[], _workspace?: unknown, answers: Readonly<Record<string, unknown>> = {}) =>
        answers.size === 'large' ? 200 : 100,
    }),
    remark: ask.text({ label: 'Remark', usual: true, optional: true }),
    reason: ask.text({ label: 'Reason', confirms: true }),
  },
  confirm: () => ({ title: 'Quote it?', body: '' }),
  run: () => {},
}) as unknown as Command
const asking = (more: Partial<Asking> = {}): Asking => ({
  id: 'project.setCost',
  subjects: [project],
  answers: initialAnswers(table, {}, [project]),
  via: 'key',
  left: [],
  settled: [],
  errors: {},
  key: 1,
  ...more,
})
const begun = startSteps(table, asking())

describe('a question with a usual answer', () => {
  it('isn’t asked in turn', () => expect([begun.at, begun.asking.answers]).toEqual(['cost', { size: 'small', cost: 100 }]))
  it('is asked when the user goes back to it', () => expect(back(table, begun)?.at).toBe('size'))
  it('is skipped when the user goes back to what was asked', () => expect(back(table, begun, true)).toBeNull())
  it('is asked if its answer is wrong', () =>
    expect(startSteps(table, asking({ errors: { remark: 'is too long' } })).at).toBe('remark'))
})

describe('an answer that follows another', () => {
  const size = goTo(table, answer(table, begun, 150), 'size')
  const large = answer(table, size, 'large')
  it('is proposed and asked again when that changes', () => expect([large.at, large.draft]).toEqual(['cost', '200']))
  it('stays as it is when that doesn’t change', () =>
    expect(answer(table, size, 'small').asking.answers).toMatchObject({ cost: 150 }))
})

describe('a last question that confirms', () => {
  const last = answer(table, begun, 150)
  it('shows what the command does once all else is answered', () =>
    expect([confirmsHere(table, begun), confirmsHere(table, last)]).toEqual([false, true]))
  it('runs the command with its answer, without a review', () => {
    const done = answer(table, last, 'They asked for it')
    expect([done.at, isReady(table, done)]).toEqual([null, true])
  })
  it('comes before a review where records are skipped', () => {
    const left = [{ subject: project, reason: 'it is live' }]
    const skipping = answer(table, startSteps(table, asking({ left })), 150)
    expect(isReady(table, answer(table, skipping, 'They asked for it'))).toBe(false)
  })
  it('never runs a command that a link filled in', () => {
    const linked = answer(table, startSteps(table, asking({ via: 'link' })), 150)
    expect(isReady(table, answer(table, linked, 'They asked for it'))).toBe(false)
  })
})

describe('an id that a command had in an earlier release', () => {
  it('leads to today’s command, with its questions', () => {
    expect(currentId('project.assignPartner')).toBe('project.invitePartners')
    expect(currentAnswers('project.assignPartner', { partner: '12', on: 'project:4' })).toEqual({
      partners: '12',
      on: 'project:4',
    })
  })
  it('isn’t used by any of today’s commands', () =>
    expect(['project.assignPartner', 'project.mailPartner', 'project.notifyCost'].filter(isCommandId)).toEqual([]))
  it('keeps the keys somebody gave it', () => {
    const own = { 'project.notifyCost': 'm q' }
    expect(keysOf(effective(own), 'project.sendQuote')).toBe('m q')
    expect(movedFrom(own)).toEqual({ 'm c': 'm c' })
  })
  it('yields to keys for today’s id', () =>
    expect(currentKeys({ 'project.sendQuote': 'm x', 'project.notifyCost': 'm q' })).toEqual({ 'project.sendQuote': 'm x' }))
})
