import { useCallback, useEffect, useRef, useState } from 'react'
import { civilDay } from '../../../contract/format.ts'
import type { ApiError } from '../../data/api.ts'
import { pageFacts } from '../../data/pageFacts.ts'
import { callAsPartner } from '../../data/partnerCalls.ts'
import type { PartnerSession } from '../../data/partnerSession.ts'
import { serverTime } from '../../data/serverClock.ts'
import { attention } from '../../workspace/attention.ts'
import {
  type Answer,
  BLANK,
  type Faults,
  type FieldName,
  faultsOf,
  type PartnerRequest,
  sameValues,
  type Values,
  valuesOf,
  wireOf,
} from './answerForm.ts'
import { saveUnsentAnswer, unsentAnswer } from './unsentAnswer.ts'

/** How often a draft is saved while typing, in ms (screens-quote-flow.md, Feasibility). */
const SAVE_MS = 2000

/** The state of the draft. */
export type Saved = { state: 'none' | 'saving' | 'here' | 'failed' } | { state: 'saved'; at: Date }

/** Why an answer wasn't sent; the typed values stay. */
export type Failure = { kind: 'offline' } | { kind: 'said'; message: string }

interface Options {
  visit: PartnerSession
  request: PartnerRequest
  /** Corrects a sent answer; drafts stay on this device. */
  correcting: boolean
  /** An answer on the partner's behalf: sent at once, without drafts in the partner's name. */
  onBehalf: boolean
  /** Set once the request ended while the page was open: nothing is sent; `drafts` says whether drafts still are. */
  ended: { drafts: boolean } | null
  reload(): Promise<void>
  onSent(): void
}

/** The state of an answer form: values, draft and sending. Nothing typed is lost, whatever fails. */
export function useAnswer({ visit, request, correcting, onBehalf, ended, reload, onSent }: Options) {
  const { id, round, proffer } = request
  const [initial] = useState(() => valuesOf(proffer))
  const [found] = useState(() => unsentAnswer(visit, round))
  const version = useRef(proffer?.lock_version ?? 0)
  const newerThere = found !== null && found.over !== version.current && !sameValues(found.values, initial)
  const [values, setValues] = useState<Values>(found && !newerThere ? found.values : initial)
  /** Values typed on this device before a newer answer came from elsewhere. */
  const [older, setOlder] = useState<Values | null>(newerThere ? found.values : null)
  const [reason, setReason] = useState('')
  const [faults, setFaults] = useState<Faults>({})
  const [refusals, setRefusals] = useState(0)
  const [saved, setSaved] = useState<Saved>({ state: 'none' })
  const [failure, setFailure] = useState<Failure | null>(null)
  const [busy, setBusy] = useState(false)
  const [conflict, setConflict] = useState<Answer | null>(null)
  const [cleared, setCleared] = useState<Values | null>(null)
  const now = useRef(values)
  now.current = values
  const stored = useRef(initial)
  const saving = useRef<Promise<void> | null>(null)
  const sent = useRef(false)

  const drafts = !correcting && !onBehalf && (!ended || ended.drafts)

  const change = useCallback(
    (next: Values) => {
      now.current = next
      setValues(next)
      saveUnsentAnswer(visit, round, { values: next, over: version.current })
    },
    [visit, round],
  )
  const set = (name: FieldName, value: string) => {
    change({ ...now.current, [name]: value })
    setCleared(null)
    setFaults(({ [name]: _, ...others }) => others)
  }

  const save = useCallback(
    async (leaving = false) => {
      if (!drafts || sent.current) return
      const values = now.current
      setSaved({ state: 'saving' })
      try {
        const input = { campaign_id: id, ...wireOf(values, { draft: true }), draft: true }
        const { body } = await callAsPartner('proffer.create', input, { token: visit.token, leaving })
        stored.current = values
        version.current = body.data.lock_version
        // Text that doesn't parse yet ("1.5 completes") is stored on this device only.
        const whole = sameValues(now.current, values) && sameValues(valuesOf(body.data), values)
        saveUnsentAnswer(visit, round, whole ? null : { values: now.current, over: version.current })
        setSaved({ state: 'saved', at: new Date() })
      } catch (failure) {
        const { status } = failure as ApiError
        setSaved({ state: status === 0 ? 'here' : 'failed' })
        // It was answered elsewhere or has ended; after reloading, the page shows which.
        if (status === 404 || status === 409) await reload()
      }
    },
    [drafts, id, round, visit, reload],
  )
  const saveOnce = useCallback(
    async (leaving = false) => {
      await saving.current
      saving.current = save(leaving).finally(() => {
        saving.current = null
      })
      await saving.current
    },
    [save],
  )

  useEffect(() => {
    if (!drafts) return
    const unsaved = () => !sameValues(now.current, stored.current)
    const timer = setInterval(() => void (unsaved() && !saving.current && saveOnce()), SAVE_MS)
    const leave = () => void (unsaved() && document.visibilityState === 'hidden' && save(true))
    document.addEventListener('visibilitychange', leave)
    addEventListener('pagehide', leave)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', leave)
      removeEventListener('pagehide', leave)
      if (unsaved()) void save(true)
    }
  }, [drafts, save, saveOnce])

  /** Sends the answer; a correction replaces the version in `over`. Reports all errors at once. */
  async function send(over = correcting ? version.current : undefined) {
    if (busy || ended) return
    const values = now.current
    const still = attention()
    const wrong: Faults = {
      ...faultsOf(values, civilDay(serverTime(), pageFacts().time_zone)),
      ...(onBehalf && !reason.trim() ? { on_behalf: 'Say why you answer for the partner' } : {}),
    }
    setFaults(wrong)
    setFailure(null)
    if (Object.keys(wrong).length) return setRefusals((count) => count + 1)
    setBusy(true)
    await saving.current
    // A draft saved after this would conflict with the sent answer.
    sent.current = true
    try {
      await callAsPartner(
        'proffer.create',
        {
          campaign_id: id,
          ...wireOf(values, { draft: false }),
          ...(onBehalf ? { partner_id: Number(visit.partner_id), on_behalf: reason.trim() } : {}),
          ...(over === undefined ? {} : { lock_version: over }),
        },
        { token: visit.token },
      )
      stored.current = values
      saveUnsentAnswer(visit, round, null)
      onSent()
    } catch (thrown) {
      sent.current = false
      await refused(thrown as ApiError, still)
    } finally {
      setBusy(false)
    }
  }

  async function refused(error: ApiError, waits: () => boolean) {
    if (error.status === 0) return setFailure({ kind: 'offline' })
    if (error.code === 'stale') {
      const theirs = error.more.theirs as Answer
      return setConflict(theirs)
    }
    if (error.status === 404 || error.status === 409) {
      await reload()
      if (error.code === 'already_submitted' || error.code === 'round_closed') return
    }
    if (Object.keys(error.fields).length) {
      setFaults(error.fields as Faults)
      if (waits()) setRefusals((count) => count + 1)
    }
    setFailure({ kind: 'said', message: error.message })
  }

  return {
    values,
    set,
    faults,
    /** How often sending was refused for a field while the sender waited; the first such field then takes the focus. */
    refusals,
    saved,
    failure,
    busy,
    reason,
    setReason,
    drafts,
    /** True if typed values aren't on the server yet. */
    dirty: () => !sameValues(now.current, stored.current),
    save: () => saveOnce(),
    send: () => send(),
    /** Clears the form, or resets a correction to the sent answer; `undo` reverts it. */
    startOver() {
      setCleared(now.current)
      setFaults({})
      setFailure(null)
      change(correcting ? initial : BLANK)
    },
    undo: cleared && {
      take() {
        change(cleared)
        setCleared(null)
      },
    },
    older: older && {
      use() {
        change(older)
        setOlder(null)
      },
    },
    conflict: conflict && {
      theirs: conflict,
      async sendMine() {
        version.current = conflict.lock_version
        setConflict(null)
        await send(conflict.lock_version)
      },
      keepTheirs() {
        saveUnsentAnswer(visit, round, null)
        onSent()
      },
    },
  }
}

export type AnswerForm = ReturnType<typeof useAnswer>
