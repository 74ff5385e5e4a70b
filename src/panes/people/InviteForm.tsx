import { useEffect, useId, useMemo, useRef, useState } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { pick, textsOf } from '../../../contract/fieldKinds.ts'
import { inviteFields } from '../../../contract/userFields.ts'
import { addressesFault, readAddresses, writeAddresses } from '../../commands/emailAddresses.ts'
import { AnswerError } from '../../data/AnswerError.tsx'
import { api } from '../../data/apiClient.ts'
import { browserStore } from '../../data/browserStore.ts'
import { outsideSeconds } from '../../data/outsideSeconds.ts'
import { useCall } from '../../data/useCall.ts'
import { isMac, shownAs } from '../../runner/keys/keyReading.ts'
import { present, resultOpening } from '../../runner/present.ts'
import { toast } from '../../runner/toast.tsx'
import { post } from '../../runner/undo.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Field } from '../../ui/Field.tsx'
import { Mark } from '../../ui/Pill.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { Select } from '../../ui/Select.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { wasClicked } from '../../workspace/attention.ts'
import { SmallField } from '../shared/form/SmallField.tsx'
import { SubmitButton } from '../shared/form/SubmitButton.tsx'
import { useSmallFieldForm } from '../shared/form/useSmallFieldForm.ts'
import { Addresses } from './Addresses.tsx'

const { email: emailField, role_id: roleField, client_id: clientField, team_ids: teamsField } = inviteFields
/** The address field holds several, which are read by themselves. */
const FIELDS = pick(inviteFields, 'first_name', 'last_name', 'role_id', 'client_id')
const EMPTY = { ...textsOf(FIELDS), email: '', teams: '', skip: '' }
/** The client last used for an invitation in this browser (src/commands/people/user.ts). */
const LAST_CLIENT = 'invited.client'
const ONE_BY_ONE = 'Skip the email for one address at a time'
const plural = (count: number) => (count === 1 ? '1 invitation leaves' : `${count} invitations leave`)

/** Says that what was delayed has been sent: in a dialog for who clicked and still waits, otherwise in a notice. */
function tellSent(sentence: string, waits: () => boolean, clicks: boolean): void {
  if (clicks)
    present(waits, resultOpening({ kind: 'dialog', title: 'Invitation sent', body: sentence }), sentence, { tone: 'good' })
  else void toast(sentence, { tone: 'good' })
}

/** Invites by email, role and client, or creates an account and shows its link once (people-area 5, decisions.md 6). */
export function InviteForm({ client }: { client?: { id: number; name: string } }) {
  const clients = useCall('client.dropdown', client ? null : {})
  const [made, setMade] = useState<{ email: string; link: string } | null>(null)
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([])
  const last = browserStore.get(LAST_CLIENT)
  const initial = { ...EMPTY, client_id: client ? String(client.id) : typeof last === 'number' ? String(last) : '' }
  const ask = useSmallFieldForm(FIELDS, {
    initial,
    failed: 'The invitation couldn’t be sent',
    check: ({ email, skip }) => {
      const people = readAddresses(email)
      const fault = addressesFault(people) ?? (skip && people.length > 1 ? ONE_BY_ONE : null)
      return fault ? { email: fault } : {}
    },
    async send(values, attempt, waits) {
      const clicks = wasClicked()
      const skipped = values.skip !== ''
      const steps: number[] = []
      const people = readAddresses(values.email)
      const belongs =
        values.role_id === 'client'
          ? { client_id: Number(values.client_id), team_ids: values.teams.split(',').filter(Boolean).map(Number) }
          : {}
      if (values.role_id === 'client') browserStore.set(LAST_CLIENT, Number(values.client_id))
      const options = { attempt, undoable: (id: number) => void steps.push(id) }
      if (people.length > 1) {
        const payload = people.map(({ bad: _, ...person }) => person)
        const { data } = await api.write(
          'user.inviteMany',
          { people: payload, role_id: values.role_id, ...belongs, delay_seconds: outsideSeconds() },
          options,
        )
        ask.reset({ ...initial, role_id: values.role_id, client_id: values.client_id })
        if (waits()) field.current?.focus()
        setOutcomes(data)
        const sent = data.filter((one) => one.invited)
        if (!sent.length) return
        const until = Date.now() + outsideSeconds() * 1000
        const addresses = sent.map((one) => one.email).join(', ')
        const ended = () => tellSent(`Invitations sent to ${addresses}.`, waits, clicks)
        const undo = post({ title: `Invite ${sent.length} people`, subjects: [] }, { steps, until, ended })
        return void toast(`${plural(sent.length)} in ${outsideSeconds()} seconds: ${addresses}`, {
          id: undo.toast,
          action: { label: 'Undo', run: undo.undo },
          lasts: outsideSeconds() * 1000,
        })
      }
      setOutcomes([])
      const [person] = people
      const { data, message, link } = await api.write(
        'user.invite',
        {
          email: person!.email,
          first_name: values.first_name || person!.first_name,
          last_name: values.last_name || person!.last_name,
          role_id: values.role_id,
          ...belongs,
          ...(skipped ? { skip_invitation: true } : { delay_seconds: outsideSeconds() }),
        },
        options,
      )
      ask.reset({ ...initial, role_id: values.role_id, client_id: values.client_id })
      if (waits()) field.current?.focus()
      setMade(link ? { email: data.email, link } : null)
      const until = skipped ? undefined : Date.now() + outsideSeconds() * 1000
      const ended = skipped ? undefined : () => tellSent(`Invitation sent to ${data.email}.`, waits, clicks)
      const undo = post(
        { title: 'Invite a user', subjects: [], what: `Invite a user – “${data.email}”` },
        { steps, until, ended },
      )
      const action = { label: 'Undo', run: undo.undo }
      if (skipped) return void toast(message, { tone: 'good', id: undo.toast, action })
      // No dialog yet: the email isn't sent, and a dialog would cover Undo.
      void toast(`The email to ${data.email} is sent in ${outsideSeconds()} seconds.`, {
        id: undo.toast,
        action,
        lasts: outsideSeconds() * 1000,
      })
    },
  })
  const { bind, errors, values, set } = ask
  const people = useMemo(() => readAddresses(values.email), [values.email])
  const field = useRef<HTMLInputElement>(null)
  const takeOut = (email: string) => {
    const left = people.filter((one) => one.email !== email)
    set('email', writeAddresses(left))
    // A single address isn't shown as a list.
    if (left.length < 2) field.current?.focus()
  }
  const chosen = values.teams.split(',').filter(Boolean)
  const theirs = values.role_id === 'client' && values.client_id ? Number(values.client_id) : null
  const teams = useCall('team.list', theirs ? { client_id: theirs, per_page: 100 } : null).data?.data ?? []
  return (
    <div className="max-w-xl px-4 pt-4 pb-8">
      {outcomes.length > 0 && <Outcomes outcomes={outcomes} />}
      {made && <MadeLink {...made} onClose={() => setMade(null)} />}
      <form {...ask.form} data-fill-in="" aria-label="Invite a user" className="flex flex-col gap-4">
        <Field label={emailField.label} required hint={emailField.hint} error={errors.email ?? null}>
          <TextInput
            {...bind('email')}
            ref={field}
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onPaste={(event) => {
              // A single-line field would join pasted lines.
              const pasted = event.clipboardData.getData('text')
              if (!/[\n\r\t]/.test(pasted)) return
              event.preventDefault()
              const lines = pasted.split(/[\n\r\t]+/).filter((line) => line.trim())
              set('email', [values.email.trim(), ...lines].filter(Boolean).join(', '))
            }}
          />
        </Field>
        {people.length > 1 && <Addresses people={people} onRemove={takeOut} />}
        {people.length < 2 && (
          <div className="grid grid-cols-1 gap-4 @md:grid-cols-2">
            <SmallField form={ask} field={inviteFields.first_name} name="first_name" />
            <SmallField form={ask} field={inviteFields.last_name} name="last_name" />
          </div>
        )}
        {!client && (
          <SmallField form={ask} field={roleField} name="role_id" group>
            {({ value, onChange }) => (
              <RadioGroup
                stacked
                value={value}
                onChange={onChange}
                options={roleField.options.map(({ detail, ...option }) => ({ ...option, hint: detail }))}
              />
            )}
          </SmallField>
        )}
        {!client && values.role_id === 'client' && (
          <SmallField form={ask} field={clientField} name="client_id" error={clients.error?.message}>
            {({ value }) => (
              <Select
                value={value}
                onChange={(id) => {
                  set('client_id', id)
                  set('teams', '')
                }}
                placeholder={clients.loading ? 'Loading clients…' : clientField.placeholder}
                options={(clients.data?.data ?? []).map((one) => ({ value: String(one.id), label: one.name }))}
              />
            )}
          </SmallField>
        )}
        {teams.length > 0 && (
          <Field label={teamsField.label} group hint={teamsField.hint}>
            <div className="flex flex-wrap gap-x-5 gap-y-1">
              {teams.map((team) => (
                <Checkbox
                  key={team.id}
                  checked={chosen.includes(String(team.id))}
                  onChange={(on) =>
                    set('teams', (on ? [...chosen, String(team.id)] : chosen.filter((id) => id !== String(team.id))).join(','))
                  }
                >
                  {team.name}
                </Checkbox>
              ))}
            </div>
          </Field>
        )}
        <Checkbox
          checked={values.skip !== ''}
          onChange={(on) => set('skip', on ? '1' : '')}
          hint="Creates the account without sending an email. You pass the link on yourself; it’s shown once."
        >
          Skip the invitation email
        </Checkbox>
        {ask.serverError && <AnswerError title="The invitation couldn’t be sent" error={ask.serverError} className="px-0 py-0" />}
        <div className="flex items-center gap-3">
          <SubmitButton busy={ask.busy} kbd="Enter">
            {values.skip ? 'Create account' : people.length > 1 ? `Send ${people.length} invitations` : 'Send invitation'}
          </SubmitButton>
          {!values.skip && (
            <span className="text-meta text-muted">
              The email is sent after {outsideSeconds()} seconds; its link works for 14 days.
            </span>
          )}
        </div>
      </form>
    </div>
  )
}

type Outcome = Output<'user.inviteMany'>['data'][number]

/** Lists the result of each address. */
function Outcomes({ outcomes }: { outcomes: readonly Outcome[] }) {
  return (
    <section aria-label="Results" className="mb-5 rounded-lg border border-edge p-3">
      <ul className="grid gap-1" role="status">
        {outcomes.map(({ email, invited, said }) => (
          <li key={email} className={invited ? 'flex items-baseline gap-2' : 'flex items-baseline gap-2 text-red-ink'}>
            <Mark shape={invited ? 'tick' : 'cross'} />
            <span className="min-w-0 break-words">
              {email}: {said}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Shows the link of an account created without an email, once. */
function MadeLink({ email, link, onClose }: { email: string; link: string; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  const title = useId()
  const [copied, setCopied] = useState(false)
  useEffect(() => field.current?.select(), [])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link)
      setCopied(true)
    } catch {
      field.current?.select()
      void toast(`Your browser blocked copying. The link is selected: copy it with ${shownAs('Mod+c', isMac)}.`, { tone: 'bad' })
    }
  }
  return (
    <section aria-labelledby={title} className="mb-5 rounded-lg border border-edge bg-accent-wash p-3">
      <h2 id={title} className="font-medium">
        The link for <bdi>{email}</bdi>
      </h2>
      <p className="mt-0.5 text-muted">
        Copy the link now. It’s shown once. Anyone with the link can set the account’s password. It works for 14 days.
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <TextInput
          ref={field}
          aria-label="Link of the new account"
          readOnly
          value={link}
          onChange={() => {}}
          className="flex-1 font-mono text-meta"
        />
        <Button onClick={copy}>{copied ? 'Copied' : 'Copy link'}</Button>
        <Button onClick={onClose}>Done</Button>
      </div>
    </section>
  )
}
