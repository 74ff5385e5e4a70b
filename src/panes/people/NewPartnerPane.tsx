import { type ClipboardEvent, useRef, useState } from 'react'
import { inputOf, mostOf, textsOf } from '../../../contract/fieldKinds.ts'
import { partnerFields } from '../../../contract/partnerFields.ts'
import { ApiError } from '../../data/api.ts'
import { api } from '../../data/apiClient.ts'
import { outsideSeconds } from '../../data/outsideSeconds.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { present, resultOpening } from '../../runner/present.ts'
import { toast } from '../../runner/toast.tsx'
import { post } from '../../runner/undo.ts'
import { useKeys } from '../../runner/useCommands.ts'
import { Button } from '../../ui/Button.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane, usePaneForm } from '../../workspace/pane.tsx'
import { SmallField } from '../shared/form/SmallField.tsx'
import { SubmitButton } from '../shared/form/SubmitButton.tsx'
import { useSmallFieldForm } from '../shared/form/useSmallFieldForm.ts'
import { recordHref } from '../shared/projectSubject.ts'
import { useLikelyPartners } from './likelyPartners.ts'
import { partnerPlace } from './partnerRow.ts'
import { type PastedPartner, readPastedPartners } from './pastedPartners.ts'
import { SeveralPartners } from './SeveralPartners.tsx'

const EMPTY = textsOf(partnerFields)
const partnerLink = (name: string) => href('partners', {}, { query: { search: name } })

/** Adds one channel partner, or a pasted list; opened from a project (`?invite=`), it also invites them there. */
export default function NewPartnerPane() {
  const { id: paneId, query, go } = usePane()
  const keys = useKeys()
  const project = useInvitingProject(query.invite)
  const [pasted, setPasted] = useState<readonly PastedPartner[] | null>(null)
  const [taken, setTaken] = useState<{ name: string } | null>(null)
  /** True if the button that only adds was pressed; every other way also sends invitations. */
  const addsOnly = useRef(false)

  /** Invites the new partners to the project the form was opened from; returns a sentence for the result. */
  const invite = async (partner_ids: readonly number[], undoable: (id: number) => void): Promise<string> => {
    if (!project || addsOnly.current) return ''
    try {
      await api.write('invitation.create', { id: project.id, partner_ids: [...partner_ids] }, { undoable })
      return ` Invited to “${project.name}”. The email is sent in ${outsideSeconds()} seconds.`
    } catch (error) {
      return ` Not invited to “${project.name}”: ${(error as Error).message}`
    }
  }
  const destinationAfter = async (id: number): Promise<() => void> => {
    if (project) return () => go(recordHref(project.generation, project.id, 'approval'))
    const open = await partnerPlace(id)
    return () => go(open(paneId))
  }

  const small = useSmallFieldForm(partnerFields, {
    failed: 'The partner couldn’t be added',
    async send(submitted, attempt, waits) {
      setTaken(null)
      const steps: number[] = []
      const undoable = (id: number) => void steps.push(id)
      try {
        const { data, message } = await api.write('partner.create', inputOf(partnerFields, submitted), { attempt, undoable })
        const invited = await invite([data.id], undoable)
        post({ title: 'New partner', subjects: [{ kind: 'partner', id: data.id, name: data.name }] }, { steps })
        const onOk = await destinationAfter(data.id)
        reset(EMPTY)
        const plain = data.email
          ? ` You can now invite “${data.name}” to projects.`
          : ` “${data.name}” has no email, so copy its invitation links instead.`
        present(
          waits,
          resultOpening({ kind: 'dialog', title: message, body: (invited || plain).trim(), onOk }),
          `${message}: ${data.name}`,
          { tone: 'good', leads: onOk },
        )
      } catch (error) {
        if (error instanceof ApiError && error.fields.name && typeof error.more.id === 'number')
          setTaken({ name: submitted.name.trim() })
        throw error
      } finally {
        addsOnly.current = false
      }
    },
  })
  const { values, busy, form, reset } = small
  usePaneForm({ send: () => form.ref.current?.requestSubmit(), discard: () => reset(EMPTY) })
  const onPaste = (event: ClipboardEvent) => {
    const several = readPastedPartners(event.clipboardData.getData('text/plain'))
    if (!several) return
    event.preventDefault()
    setPasted(several)
  }

  if (pasted)
    return (
      <div className="max-w-xl px-4 pt-3 pb-8">
        <h1 className="text-head">New partners</h1>
        <SeveralPartners
          pasted={pasted}
          action={project ? ' and invite them' : ''}
          onCancel={() => setPasted(null)}
          onMade={async (made, undoable, refused) => {
            const invited = await invite(
              made.map(({ id }) => id),
              undoable,
            )
            const onOk = await destinationAfter(made[0]!.id)
            const many = `${made.length} partner${made.length === 1 ? '' : 's'} created.`
            // Rejected rows stay on screen, so don't navigate away.
            if (refused) return void toast(`${many}${invited}`, { tone: 'good', action: { label: 'Open', run: onOk } })
            const body = (invited || ' You can now invite them to projects.').trim()
            resultOpening({ kind: 'dialog', title: many, body, onOk }).open()
          }}
        />
      </div>
    )
  return (
    <div className="max-w-xl px-4 pt-3 pb-8">
      <h1 className="text-head">New partner</h1>
      {project && (
        <p className="mt-1 text-muted">
          For the invitations of{' '}
          <PaneLink to={recordHref(project.generation, project.id, 'approval')} className="underline">
            <bdi>{project.name}</bdi>
          </PaneLink>
        </p>
      )}
      <form {...form} data-fill-in="" aria-label="New partner" className="mt-4 flex flex-col gap-4">
        <SmallField form={small} field={partnerFields.name} name="name">
          {(bound) => (
            <TextInput {...bound} onPaste={onPaste} autoComplete="organization" maxLength={mostOf(partnerFields.name)} />
          )}
        </SmallField>
        {taken && taken.name === values.name.trim() && (
          <p className="-mt-3 text-meta">
            <PaneLink to={partnerLink(taken.name)} className="text-accent-ink underline">
              Open {taken.name}
            </PaneLink>
          </p>
        )}
        {(['contact', 'email', 'phone', 'notes'] as const).map((name) => (
          <SmallField key={name} form={small} field={partnerFields[name]} name={name} />
        ))}
        <Likely name={values.name} email={values.email} />
        <div className="flex flex-wrap gap-2">
          <SubmitButton busy={busy} data-command="form.send" kbd={keys('form.send') ?? undefined}>
            {project ? (
              <span className="max-w-72 truncate">
                Add and invite to <bdi>{project.name}</bdi>
              </span>
            ) : (
              'Add partner'
            )}
          </SubmitButton>
          {project && (
            <Button
              type="submit"
              onClick={() => {
                addsOnly.current = true
              }}
            >
              Add only
            </Button>
          )}
        </div>
      </form>
    </div>
  )
}

/** Returns the project that linked here; null without one. */
function useInvitingProject(param: string | undefined) {
  const id = /^[1-9]\d{0,9}$/.test(param ?? '') ? Number(param) : null
  const { data } = useCall('project.quote', id === null ? null : { id })
  return id !== null && data?.data.id === id ? data.data : null
}

/** Suggests existing partners that may be the one being typed. */
function Likely({ name, email }: { name: string; email: string }) {
  const likely = useLikelyPartners(name, email)
  return (
    <div aria-live="polite" aria-atomic="true">
      {likely.length > 0 && (
        <section aria-label="Likely duplicates" className="rounded-md border border-line bg-surface px-3 py-2">
          <h2 className="text-meta font-medium text-muted">
            {likely.length === 1 ? 'This partner may be the same' : 'These partners may be the same'}
          </h2>
          <ul className="mt-1">
            {likely.map((one) => (
              <li key={one.id} className="flex min-w-0 gap-3 py-0.5">
                <PaneLink to={partnerLink(one.name)} className="min-w-0 truncate font-medium hover:underline">
                  <bdi>{one.name}</bdi>
                </PaneLink>
                <span className="min-w-0 truncate text-muted">{one.email}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
