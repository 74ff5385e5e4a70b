import { beforeEach, describe, expect, test, vi } from 'vitest'
import { browserStore } from '../../src/data/browserStore.ts'

const storage = new Map<string, string>()
beforeEach(() => {
  storage.clear()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => storage.get(name) ?? null,
    setItem: (name: string, text: string) => void storage.set(name, text),
    removeItem: (name: string) => void storage.delete(name),
  })
})

describe('a value in the browser', () => {
  test('is returned in the version it was stored in', () => {
    browserStore.set('one', ['a'])
    browserStore.set('two', { names: ['a'] }, 2)
    expect([browserStore.get('one'), browserStore.get('two', 2)]).toEqual([['a'], { names: ['a'] }])
  })

  test('of an older version is migrated', () => {
    browserStore.set('list', ['a'])
    const migrate = (old: unknown, version: number) => ({ names: old, version })
    expect(browserStore.get('list', 2, migrate)).toEqual({ names: ['a'], version: 1 })
  })

  test('of an older version that nobody migrates is dropped, and so is one whose migration fails', () => {
    browserStore.set('list', ['a'])
    expect(browserStore.get('list', 2)).toBeNull()
    const fails = () => {
      throw new Error('not read')
    }
    expect(browserStore.get('list', 2, fails)).toBeNull()
  })

  test('of a newer version is never misread by an older page', () => {
    browserStore.set('list', { names: ['a'] }, 3)
    const migrate = (old: unknown) => old
    expect([browserStore.get('list'), browserStore.get('list', 2, migrate)]).toEqual([null, null])
  })

  test('that is missing, deleted or not JSON is null in every version', () => {
    storage.set('torn', '{"$v":2,')
    browserStore.set('gone', 1, 2)
    browserStore.set('gone', null, 2)
    const all = ['torn', 'gone', 'missing'].flatMap((name) => [browserStore.get(name), browserStore.get(name, 2, () => 'old')])
    expect(all).toEqual([null, null, null, null, null, null])
  })

  test('is null where the browser forbids its store', () => {
    vi.stubGlobal('localStorage', undefined)
    browserStore.set('list', ['a'])
    expect(browserStore.get('list')).toBeNull()
  })
})
