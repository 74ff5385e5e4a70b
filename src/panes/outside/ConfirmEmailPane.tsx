import { useEffect, useRef, useState } from 'react'
import { api } from '../../data/apiClient.ts'
import { Button } from '../../ui/Button.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { useSmallForm } from '../shared/form/useSmallForm.ts'
import { FormError, FormSuccess, OutsidePage } from './OutsidePage.tsx'

const TO_SIGN_IN = [{ to: 'login', title: 'Go to sign-in' }] as const

/** Confirms a new email by the link sent to it; a click, because mail programs open links to check them. */
export default function ConfirmEmailPane() {
  const { query } = usePane()
  const [done, setDone] = useState<string | null>(null)
  const { busy, serverError, form } = useSmallForm({
    initial: {},
    send: async () => setDone((await api.write('session.confirmEmail', { token: query.token ?? '' })).message),
  })
  const { ref } = form
  useEffect(() => ref.current?.querySelector('button')?.focus(), [ref])
  const heading = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (done) heading.current?.focus()
  }, [done])
  if (done)
    return (
      <OutsidePage title="Your email is confirmed" links={TO_SIGN_IN}>
        <div ref={heading} tabIndex={-1}>
          <FormSuccess>{done}</FormSuccess>
        </div>
      </OutsidePage>
    )
  if (!query.token)
    return <OutsidePage title="Confirm your new email" lead="Open this page from the link in our email." links={TO_SIGN_IN} />
  return (
    <OutsidePage title="Confirm your new email" lead="You sign in with it from then on." links={TO_SIGN_IN}>
      <form {...form} className="flex flex-col gap-4">
        <FormError error={serverError} />
        <Button type="submit" variant="primary" busy={busy} className="h-8">
          Confirm
        </Button>
      </form>
    </OutsidePage>
  )
}
