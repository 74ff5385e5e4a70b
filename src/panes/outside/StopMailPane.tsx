import { useEffect, useRef, useState } from 'react'
import type { NewsKindId } from '../../../contract/news.ts'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { Button } from '../../ui/Button.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { useSmallForm } from '../shared/form/useSmallForm.ts'
import { FormError, OutsidePage } from './OutsidePage.tsx'

const TO_SIGN_IN = [{ to: 'login', title: 'Go to sign-in' }] as const
type Kinds = readonly { kind: NewsKindId; when: string; stopped: boolean }[]

/** Stops emails of some kind by the link in one of them; a click, because mail programs open links to check them. */
export default function StopMailPane() {
  const { query } = usePane()
  const token = query.token ?? ''
  const { data, error } = useCall('notice.mailKinds', token ? { token } : null)
  const [stopped, setStopped] = useState<{ kind: NewsKindId; kinds: Kinds } | null>(null)
  const kinds = stopped?.kinds ?? data?.data.kinds ?? []
  const open = kinds.filter((one) => !one.stopped)
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    // The pressed button is gone. Its line gets the focus, not the next button, which a second Enter would press.
    if (stopped && document.activeElement === document.body)
      list.current?.querySelector<HTMLElement>(`[data-kind=${stopped.kind}]`)?.focus()
  }, [stopped])
  if (!token || error)
    return (
      <OutsidePage title="Stop emails" lead={error?.message ?? 'Open this page from the link in our email.'} links={TO_SIGN_IN} />
    )
  return (
    <OutsidePage
      title="Stop emails"
      lead="Your inbox still shows this news. To get emails again, change your account settings."
      links={TO_SIGN_IN}
    >
      <ul ref={list} className="flex flex-col gap-3">
        {kinds.map((one) => (
          <li key={one.kind} data-kind={one.kind} tabIndex={-1} className="flex items-center justify-between gap-3">
            <span>When {one.when}</span>
            {one.stopped ? (
              <span className="text-muted">Stopped</span>
            ) : (
              <Stop token={token} kind={one.kind} when={one.when} onStopped={(kinds) => setStopped({ kind: one.kind, kinds })} />
            )}
          </li>
        ))}
      </ul>
      <p role="status" className="mt-4 text-muted">
        {stopped && (open.length ? 'Stopped.' : 'All of these emails are stopped.')}
      </p>
    </OutsidePage>
  )
}

function Stop({
  token,
  kind,
  when,
  onStopped,
}: {
  token: string
  kind: NewsKindId
  when: string
  onStopped: (kinds: Kinds) => void
}) {
  const { busy, serverError, form } = useSmallForm({
    initial: {},
    send: async () => onStopped((await api.write('notice.stopMail', { token, kind })).data.kinds),
  })
  return (
    <form {...form}>
      <FormError error={serverError} />
      <Button type="submit" busy={busy} aria-label={`Stop emails when ${when}`}>
        Stop
      </Button>
    </form>
  )
}
