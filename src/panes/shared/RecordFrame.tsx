import { type ReactNode, useEffect, useMemo } from 'react'
import { codeOf } from '../../../contract/nounOf.ts'
import type { DeletedNoun } from '../../../contract/restored.ts'
import type { Subject } from '../../commands/subject.ts'
import { ComparedPill } from '../../compare/ComparedPill.tsx'
import type { Answer } from '../../data/useCall.ts'
import { openedName } from '../../list/recordTrails.ts'
import { href } from '../../routing/routes.ts'
import { CommandMenu } from '../../runner/CommandMenu.tsx'
import { ScreenPanel, ScreenTabs } from '../../shell/ScreenTabs.tsx'
import { MainAction } from '../../workspace/MainAction.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { RecordError } from './RecordError.tsx'
import { isGone, RecordGone } from './RecordGone.tsx'

interface OfClient {
  client_id: number
  client_name: string
}

/**
 * The frame of a record with tabs: name, code, client, commands, and errors. Sets the pane's subject.
 * `children` renders the tab, also while the record is loading.
 */
export function RecordFrame<R extends { id: number; name: string } & Partial<OfClient>>({
  noun,
  id,
  answer,
  subjectOf,
  title,
  home,
  homeTitle,
  clientTab,
  aside,
  actions,
  counts,
  children,
}: {
  noun: DeletedNoun
  id: number
  answer: Answer<{ data: R }>
  subjectOf: (record: R) => Subject
  /** The noun as a title: "Location group". */
  title: string
  home: string
  homeTitle: string
  /** The client tab that lists this kind of record. */
  clientTab?: 'teams' | 'groups'
  /** Shown beside the name. */
  aside?: ReactNode
  /** Buttons before the menu. */
  actions?: (subject: Subject) => ReactNode
  counts?: Readonly<Record<string, number | undefined>>
  children: (record: R | undefined, subject: Subject | null) => ReactNode
}) {
  const { setSubject } = usePane()
  const record = answer.data?.data
  const opened = useMemo(() => openedName(noun, id), [noun, id])
  const gone = isGone(answer.error)
  const subject = useMemo(() => (record && !gone ? subjectOf(record) : null), [record, gone, subjectOf])
  useEffect(() => {
    if (subject) setSubject(subject)
  }, [subject, setSubject])
  const list = { home, homeTitle }
  if (answer.error && !record)
    return <RecordError error={answer.error} retry={answer.retry} record={{ noun, id }} what={`${title} ${id}`} {...list} />
  if (record && gone) return <RecordGone noun={noun} id={id} what={`This ${title.toLowerCase()}`} name={record.name} {...list} />
  return (
    <div className="@container flex h-full min-h-0 flex-col short:h-auto short:min-h-full">
      <header className="shrink-0">
        <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1.5 px-4 pt-3 pb-2 narrow:*:order-3">
          <h1
            dir="auto"
            className="min-w-0 truncate text-head @max-md:text-wrap narrow:order-1! narrow:flex-1 narrow:basis-[calc(100%-3.5rem)]"
          >
            {record?.name ?? opened ?? ' '}
          </h1>
          {record && <span className="font-mono text-meta text-muted">{codeOf(noun, id)}</span>}
          {record?.client_id !== undefined && clientTab && (
            <PaneLink
              to={href('client', { id: record.client_id }, { tab: clientTab })}
              className="min-w-0 truncate rounded-sm text-muted hover:text-accent-ink hover:underline"
            >
              <bdi>{record.client_name}</bdi>
            </PaneLink>
          )}
          {aside}
          <ComparedPill short className="shrink-0" />
          {subject && (
            <span className="ml-auto flex flex-wrap items-center gap-1.5 narrow:order-2! narrow:short:order-4!">
              {actions && <MainAction>{actions(subject)}</MainAction>}
              <CommandMenu subjects={[subject]} />
            </span>
          )}
        </div>
        <ScreenTabs label={title} counts={counts} />
      </header>
      <ScreenPanel className="@container min-h-0 flex-1 overflow-y-auto" data-scroll="" tabIndex={-1}>
        {children(record, subject)}
      </ScreenPanel>
    </div>
  )
}
