import { type ReactNode, useEffect, useState } from 'react'
import { stripBidi } from '../data/bidi.ts'
import { store } from '../data/jotaiStore.ts'
import { toasterAtom } from './runnerState.ts'

/** Toasts are not worth waiting for at the start: they come with the first thing to say. */
const sonner = () => import('sonner')
let stands = () => {}
const standing = new Promise<void>((resolve) => {
  stands = resolve
})

/** Stands behind the toaster: what is said before it listens would be lost. */
export function ToasterStands() {
  useEffect(() => stands(), [])
  return null
}

interface Action {
  label: string
  run(): void
}
/** What a notice has besides its sentence. */
export interface More {
  tone?: 'good' | 'bad'
  detail?: ReactNode
  action?: Action
  second?: Action
  /** Says it in the place of what was said under the same id. */
  id?: string
  /** Milliseconds; Infinity stays until it is closed. */
  lasts?: number
}

/** Says a sentence at the edge of the page, with at most two things to do about it. */
export async function toast(sentence: string, more: More = {}): Promise<void> {
  store.set(toasterAtom, true)
  const [{ toast }] = await Promise.all([sonner(), standing])
  const { tone, action, second, id, lasts } = more
  const said = stripBidi(sentence)
  const detail = typeof more.detail === 'string' ? stripBidi(more.detail) : more.detail
  const speak = tone === 'bad' ? toast.error : tone === 'good' ? toast.success : toast
  // Notices are read out when there is a pause; a failure at once.
  speak(<span role={tone === 'bad' ? 'alert' : 'status'}>{said}</span>, {
    ...(id ? { id } : {}),
    description: detail,
    duration: lasts ?? (tone === 'bad' || action ? 8000 : 4000),
    ...(action ? { action: { label: action.label, onClick: () => action.run() } } : {}),
    ...(second ? { cancel: { label: second.label, onClick: () => second.run() } } : {}),
  })
}

/** Takes a sentence back. */
export async function dismiss(id: string): Promise<void> {
  ;(await sonner()).toast.dismiss(id)
}

/** "in 4 s", going down to nothing at `until` (epoch ms). Not read out each second: what it belongs to says it once. */
export function Countdown({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [])
  return <span aria-hidden="true">in {Math.max(0, Math.ceil((until - now) / 1000))} s</span>
}
