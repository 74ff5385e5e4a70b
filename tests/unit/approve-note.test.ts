import { afterEach, describe, expect, it } from 'vitest'
import type { Command } from '../../src/commands/command.ts'
import { open, promptFor, wrongWith } from '../../src/commands/commandQuestions.ts'
import type { Subject } from '../../src/commands/subject.ts'
import { store } from '../../src/data/jotaiStore.ts'
import { sessionAtom } from '../../src/data/me.ts'
import { commandOf } from '../support/commands.ts'

const approve = commandOf('project.approve') as Command
const quoted = (allowed_actions: string[]): Subject => ({ kind: 'project', id: 1, name: 'Snack Tracker', allowed_actions })

const signedInAs = (role: 'admin' | 'client') => store.set(sessionAtom, { state: 'in', me: { role } as never })
afterEach(() => store.set(sessionAtom, { state: 'none' }))

describe('“Approve quote”', () => {
  it('requires a note from administrators, and accepts no empty one', () => {
    signedInAs('admin')
    const [[key, note]] = promptFor(approve, {}, [quoted(['project.approve', 'project.edit'])]) as [[string, never]]
    expect(key).toBe('reason')
    expect((note as { optional?: true }).optional).toBeUndefined()
    expect(wrongWith(note, '', {})).toBe('Enter the note')
    expect(open(approve, {}, [quoted(['project.approve', 'project.edit'])])).toEqual(['reason'])
  })

  it('asks a client user nothing', () => {
    signedInAs('client')
    expect(promptFor(approve, {}, [quoted(['project.approve'])])).toEqual([])
  })
})
