import '../support/commands.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { store } from '../../src/data/jotaiStore.ts'
import { sessionAtom } from '../../src/data/me.ts'
import { commandHistoryOptions, registerNames, rememberCommand } from '../../src/workspace/commandHistory.ts'

afterEach(() => {
  store.set(sessionAtom, { state: 'none' })
  registerNames(() => undefined)
  vi.unstubAllGlobals()
})

test('the command history names records as they are now, and leaves out what its user doesn’t see any more', () => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
  })
  store.set(sessionAtom, { state: 'in', me: { id: 1, role: 'admin' } as never })
  const remember = (id: number, name: string) =>
    rememberCommand({ id: 'project.pause', subjects: [{ kind: 'project', id, name }] as never, answers: {} }, id)
  remember(1, 'Secret one')
  remember(2, 'Secret two')
  const labels = () => commandHistoryOptions().map(({ label }) => label)
  // Until the names are there, records go by their codes.
  expect(labels()).toEqual([expect.stringContaining('P-2'), expect.stringContaining('P-1')])
  expect(labels().join()).not.toContain('Secret')
  registerNames((_kind, id) => (id === 1 ? 'Renamed one' : null))
  expect(labels()).toEqual([expect.stringContaining('Renamed one')])
})
