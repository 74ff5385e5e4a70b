import { type ReactNode, useEffect, useState } from 'react'
import { stripBidi } from '../../contract/bidi.ts'
import { store } from '../data/jotaiStore.ts'
import { preferencesAtom } from '../data/preferences.ts'
import { toasterAtom } from './runnerState.ts'

/** Loads with the first toast, to stay out of the first load. */
const sonner = () => import('sonner')
let stands = () => {}
const standing = new Promise<void>((resolve) => {
  stands = resolve
})

/** Tells that the toaster is mounted; a toast before that would be lost. */
export function ToasterMounted() {
  useEffect(() => stands(), [])
  return null
}

interface Action {
  label: string
  run(): void
}
/** Options of a toast. */
export interface More {
  tone?: 'good' | 'bad'
  detail?: ReactNode
  action?: Action
  second?: Action
  /** Replaces the toast with the same id. */
  id?: string | undefined
  /** In ms; Infinity stays until closed. */
  lasts?: number
}

/** Shows a toast with at most two actions. */
export async function toast(sentence: string, more: More = {}): Promise<void> {
  store.set(toasterAtom, true)
  const [{ toast }] = await Promise.all([sonner(), standing])
  const { tone, action, second, id, lasts } = more
  const text = stripBidi(sentence)
  const detail = typeof more.detail === 'string' ? stripBidi(more.detail) : more.detail
  const speak = tone === 'bad' ? toast.error : tone === 'good' ? toast.success : toast
  // The toasts' region announces them. A live region inside would repeat them and be missing from a toast's name.
  const shown = speak(<span>{text}</span>, {
    ...(id ? { id } : {}),
    description: detail,
    duration: Number.POSITIVE_INFINITY,
    ...(action ? { action: { label: action.label, onClick: () => action.run() } } : {}),
    ...(second ? { cancel: { label: second.label, onClick: () => second.run() } } : {}),
  })
  const time = lasts ?? (tone === 'bad' || action ? 8000 : 4000)
  endAfter(shown, store.get(preferencesAtom).notices_stay ? Number.POSITIVE_INFINITY : time, () => toast.dismiss(shown))
}

/** Moves the focus to the latest toast, or says that there is none. */
export async function focusToast(): Promise<void> {
  const there = store.get(toasterAtom) && (await import('../ui/Toaster.tsx')).focusNotices()
  if (!there) void toast('There is nothing to read.')
}

/** When each toast closes, by its id. */
const ends = new Map<string | number, ReturnType<typeof setTimeout>>()
/** How long a held toast stays after it is released, in ms. */
const HELD_MS = 2000
/** True while a toast has focus or pointer, or the page is hidden. A tap leaves both behind, so it doesn't count. */
const held = () => {
  const here = matchMedia('(hover: hover)').matches ? ':is(:hover, :focus-within)' : ':has(:focus-visible)'
  return document.hidden || document.querySelector(`[data-sonner-toaster]${here}`) !== null
}

function endAfter(id: string | number, ms: number, end: () => void): void {
  clearTimeout(ends.get(id))
  ends.delete(id)
  if (!Number.isFinite(ms)) return
  const timer = setTimeout(() => {
    if (held()) return endAfter(id, HELD_MS, end)
    ends.delete(id)
    end()
  }, ms)
  ends.set(id, timer)
}

/** Dismisses a toast. */
export async function dismiss(id: string): Promise<void> {
  ;(await sonner()).toast.dismiss(id)
}

/** "in 4 s", and nothing at `until` (epoch ms). Screen readers hear it once with the toast, not every second. */
export function Countdown({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [])
  return <span aria-hidden="true">in {Math.max(0, Math.ceil((until - now) / 1000))} s</span>
}
