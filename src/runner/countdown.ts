import { createElement } from 'react'
import { named } from '../commands/words.ts'
import { store } from '../data/jotaiStore.ts'
import { type Invocation, nextKey, worksAtom } from './runnerState.ts'
import { Countdown, dismiss, toast } from './toast.tsx'
import { drop, post } from './undo.ts'

let waiting = 0
const onBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault()
const hold = (by: 1 | -1) => {
  waiting += by
  // Leaving now would lose what was promised to be sent.
  if (waiting === 1 && by === 1) addEventListener('beforeunload', onBeforeUnload)
  if (waiting === 0) removeEventListener('beforeunload', onBeforeUnload)
}

/** Counts down before something reaches people outside. Undo or closing the toast cancels it, "Now" runs it at once. */
export function countDown(
  invocation: Invocation,
  seconds: number,
  title: string,
  { what, go, stopped, again }: { what: string | undefined; go(): void; stopped(): void; again(): void },
): void {
  const key = nextKey()
  const notice = `wait-${key}`
  const until = Date.now() + seconds * 1000
  const end = (then?: () => void) => {
    clearTimeout(timer)
    hold(-1)
    drop(posted.key)
    store.set(worksAtom, (all) => all.filter((work) => work.key !== key))
    void dismiss(notice)
    if (then !== go) stopped()
    then?.()
  }
  let over = false
  const once = (then?: () => void) => {
    if (over) return
    over = true
    end(then)
  }
  const timer = setTimeout(() => once(go), seconds * 1000)
  hold(1)
  const posted = post({ title, subjects: invocation.subjects, what }, { waiting: { stop: () => once(), again } })
  store.set(worksAtom, (all) => [
    ...all,
    { key, title, until, done: 0, total: 0, note: '', cancel: () => once(() => void toast(`“${title}” was cancelled.`)) },
  ])
  void toast(`${title}${invocation.subjects.length === 1 ? `: ${named(invocation.subjects[0]!)}` : ''}`, {
    id: notice,
    lasts: Number.POSITIVE_INFINITY,
    detail: createElement(Countdown, { until }),
    action: { label: 'Undo', run: posted.undo },
    second: { label: 'Now', run: () => once(go) },
  })
}
