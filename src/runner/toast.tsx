import { type ReactNode, useEffect, useState } from 'react'
import { stripBidi } from '../data/bidi.ts'
import { store } from '../data/jotaiStore.ts'
import { preferencesAtom } from '../data/preferences.ts'
import { toasterAtom } from './runnerState.ts'

/** Loaded with the first notice, to keep toasts out of the first load. */
const sonner = () => import('sonner')
let stands = () => {}
const standing = new Promise<void>((resolve) => {
  stands = resolve
})

/** Signals that the toaster listens; a notice before that would be lost. */
export function ToasterMounted() {
  useEffect(() => stands(), [])
  return null
}

interface Action {
  label: string
  run(): void
}
/** A notice's options. */
export interface More {
  tone?: 'good' | 'bad'
  detail?: ReactNode
  action?: Action
  second?: Action
  /** Replaces the notice with the same id. */
  id?: string | undefined
  /** In milliseconds; Infinity stays until closed. */
  lasts?: number
}

/** Shows a notice with at most two actions. */
export async function toast(sentence: string, more: More = {}): Promise<void> {
  store.set(toasterAtom, true)
  const [{ toast }] = await Promise.all([sonner(), standing])
  const { tone, action, second, id, lasts } = more
  const said = stripBidi(sentence)
  const detail = typeof more.detail === 'string' ? stripBidi(more.detail) : more.detail
  const speak = tone === 'bad' ? toast.error : tone === 'good' ? toast.success : toast
  // The region of notices says them; a region inside it would say them twice, and keep them out of the notice's name.
  const shown = speak(<span>{said}</span>, {
    ...(id ? { id } : {}),
    description: detail,
    duration: Number.POSITIVE_INFINITY,
    ...(action ? { action: { label: action.label, onClick: () => action.run() } } : {}),
    ...(second ? { cancel: { label: second.label, onClick: () => second.run() } } : {}),
  })
  const time = lasts ?? (tone === 'bad' || action ? 8000 : 4000)
  endAfter(shown, store.get(preferencesAtom).notices_stay ? Number.POSITIVE_INFINITY : time, () => toast.dismiss(shown))
}

/** When each notice goes, by its id. */
const ends = new Map<string | number, ReturnType<typeof setTimeout>>()
/** How long a notice that was held stays after it is let go, in ms. */
const HELD_MS = 2000
/** Notices stay while one has the focus or the pointer, and while nobody sees the page; a tap leaves both behind. */
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

/** Dismisses a notice. */
export async function dismiss(id: string): Promise<void> {
  ;(await sonner()).toast.dismiss(id)
}

/** "in 4 s", down to nothing at `until` (epoch ms). Not read out each second: its notice says it once. */
export function Countdown({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [])
  return <span aria-hidden="true">in {Math.max(0, Math.ceil((until - now) / 1000))} s</span>
}
