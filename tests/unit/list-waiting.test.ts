import { expect, test } from 'vitest'
import type { Subject } from '../../src/commands/command.ts'
import type { ListDesk } from '../../src/workspace/desk.ts'
import { held } from '../../src/workspace/list/waiting.ts'

const row: Subject = { kind: 'project', id: 1, name: 'Of the last search' }

test('while the rows of another search are on their way nothing is under the cursor, and keys wait for those that come', () => {
  const done: string[] = []
  const list = (cursor: Subject | null) =>
    ({
      cursor,
      marked: [],
      move: (by: number) => done.push(`move ${by}`),
      mark: () => done.push('mark'),
      open: () => done.push('open'),
    }) as unknown as ListDesk
  const kept: ((list: ListDesk) => void)[] = []
  const waiting = held(list(row), kept)
  expect(waiting.cursor).toBeNull()
  waiting.move(1)
  waiting.mark()
  waiting.open('here')
  expect(done).toEqual([])
  for (const act of kept) act(list(null))
  expect(done).toEqual(['move 1', 'mark', 'open'])
})
