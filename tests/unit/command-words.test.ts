import { describe, expect, it } from 'vitest'
import type { Command } from '../../src/commands/command.ts'
import type { Subject } from '../../src/commands/subject.ts'
import { commandIds, commandOf } from '../support/commands.ts'
import { checkRows } from './rows.ts'

/** A record with nothing known but its name. */
const bare = (command: Command, id: number): Subject => ({
  kind: command.on === 'nothing' ? 'project' : typeof command.on === 'string' ? command.on : command.on[0]!,
  id,
  name: 'Snack Tracker',
  record: {},
})
const commands = commandIds().map((id): [string, Command] => [id, commandOf(id) as Command])
const HOLES = /NaN|undefined|\bnull\b|\[object|Invalid Date/

describe('a command’s words before any answers', () => {
  const id = ([id]: [string, Command]) => id

  it('are complete', () => {
    checkRows(
      commands.filter(([, command]) => command.confirm ?? command.review),
      ([, command]) => {
        for (const count of [1, 2]) {
          const subjects = Array.from({ length: count }, (_, at) => bare(command, at + 1))
          for (const answers of [{}, { cost: Number.NaN }, { cost: null, valid_until: null, reason: null, status: null }]) {
            const reviewText = (command.confirm ?? command.review)!(subjects, answers as never)
            expect(`${reviewText.title} ${reviewText.body} ${reviewText.action ?? ''}`).not.toMatch(HOLES)
          }
        }
      },
      id,
    )
  })

  it('exclude nobody by a missing answer', () => {
    checkRows(
      commands.filter(([, command]) => command.excludes),
      ([, command]) => expect(String(command.excludes!(bare(command, 1), {} as never))).not.toMatch(/NaN|undefined|\[object/),
      id,
    )
  })
})
