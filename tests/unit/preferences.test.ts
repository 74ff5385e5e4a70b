import { beforeEach, describe, expect, it, vi } from 'vitest'

const write = vi.hoisted(() => vi.fn())
vi.mock('../../src/data/apiClient.ts', () => ({ api: { write } }))
vi.mock('../../src/data/session.ts', async () => {
  const { atom } = await import('jotai')
  const sessionAtom = atom<{ me: unknown }>({ me: { preferences: {} } })
  return { sessionAtom, meAtom: atom((get) => get(sessionAtom).me) }
})

// Files share their modules, and an earlier one may have loaded these without the mocks.
vi.resetModules()
const { preferencesAtom, setPreferences } = await import('../../src/data/preferences.ts')
const { store } = await import('../../src/data/jotaiStore.ts')

describe('two preferences changed at once', () => {
  beforeEach(() => {
    write.mockReset()
  })

  it('are written in sequence, the second with both', async () => {
    write.mockImplementation(async (_id: string, { preferences }: { preferences: object }) => ({ data: { preferences } }))
    await Promise.all([setPreferences({ theme: 'dark' }), setPreferences({ density: 'comfortable' })])
    expect(write.mock.calls.at(-1)![1].preferences).toMatchObject({ theme: 'dark', density: 'comfortable' })
  })

  it('don’t fail together if the first can’t be written', async () => {
    write.mockRejectedValueOnce(new Error('not now'))
    write.mockImplementation(async (_id: string, { preferences }: { preferences: object }) => ({ data: { preferences } }))
    const first = setPreferences({ theme: 'light' })
    const second = setPreferences({ density: 'compact' })
    await expect(first).rejects.toThrow('not now')
    await second
    expect(store.get(preferencesAtom)).toMatchObject({ theme: 'dark', density: 'compact' })
  })
})
