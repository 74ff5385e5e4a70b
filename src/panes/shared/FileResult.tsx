import type { ReactNode } from 'react'
import { count, counted } from '../../../contract/format.ts'
import type { ImportRowKind } from '../../../contract/importWords.ts'
import { AnswerState } from '../../data/AnswerState.tsx'
import type { Answer } from '../../data/useCall.ts'
import { Pager } from '../../ui/Pager.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { type Figure, Figures } from './Figures.tsx'

/** A message about a line of a file; `amount` is one that its provider can't pay. */
export interface FileLine {
  line: number
  kind: ImportRowKind | 'amount'
  column: string
  value: string
  message: string
}
/** A kind of line; `slug` is its name in links. */
export interface LineKind {
  slug: string
  title: string
  messageHeading: string
  none: string
  count?: number | undefined
}

const LOOKS: Readonly<Record<FileLine['kind'], string>> = {
  error: 'text-red-ink',
  repeat: '',
  amount: 'text-amber-ink',
  approximate: '',
}

/** Reads the kind and page of a file's lines from the pane's link; `usual` is the default kind. */
export function useFileLines(kinds: readonly LineKind[], usual: string, key: 'tab' | 'lines') {
  const { query, setQuery } = usePane()
  return {
    kind: kinds.find(({ slug }) => slug === query[key])?.slug ?? usual,
    // Not `page`, which holds a list's cursor.
    page: Math.max(1, Number(query.lines_page) || 1),
    onKind: (slug: string) => setQuery({ [key]: slug, lines_page: null }),
    onPage: (page: number) => setQuery({ lines_page: page === 1 ? null : page }, { push: true }),
  }
}

interface Props<Line extends FileLine> {
  figures: readonly Figure[]
  /** Buttons for the file's commands. */
  actions: ReactNode
  /** Explains why there is no result, or no longer one. */
  problem?: string | null
  note?: string | null
  /** Between figures and lines: a map of the locations found. */
  children?: ReactNode
  kinds: readonly LineKind[]
  at: ReturnType<typeof useFileLines>
  /** Lines of the current kind and page. */
  answer: Answer<{ data: readonly Line[]; count: number }>
  /** Lines per page. */
  pageSize: number
  showValue?: (line: Line) => ReactNode
  /** Replaces the table with a list that has keys of its own. */
  drawLines?: (lines: readonly Line[]) => ReactNode
}

/** Shows a file's result: totals, commands, and its lines with messages, by kind and page. */
export function FileResult<Line extends FileLine>({
  figures,
  actions,
  problem,
  note,
  children,
  kinds,
  at,
  answer,
  pageSize,
  showValue,
  drawLines,
}: Props<Line>) {
  const shown = kinds.find(({ slug }) => slug === at.kind)!
  const lines = answer.data
  return (
    <>
      {note && (
        <p role="status" className="mb-3 text-muted">
          {note}
        </p>
      )}
      {problem && (
        <p role="alert" className="mb-3 text-red-ink">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap items-start gap-x-8 gap-y-3">
        <Figures label="Totals" figures={figures} />
        <span className="ml-auto flex flex-wrap gap-1.5">{actions}</span>
      </div>
      {children}
      <Tabs
        label="Lines of the file"
        className="mt-5"
        items={kinds.map(({ slug, title, count: lines }) => ({
          id: slug,
          label: title,
          ...(lines === undefined
            ? {}
            : { badge: <span className="text-meta font-normal text-faint tabular-nums">{count(lines)}</span> }),
        }))}
        selected={at.kind}
        onSelect={at.onKind}
      />
      {!lines?.data.length ? (
        <AnswerState
          answer={answer}
          what={shown.title}
          rows={4}
          empty={<EmptyState className="py-8!">{shown.none}</EmptyState>}
        />
      ) : (
        <>
          {drawLines?.(lines.data) ?? (
            <FileLines
              label={`${shown.title}: ${counted(lines.count, 'line')}`}
              messageHeading={shown.messageHeading}
              lines={lines.data}
              showValue={showValue}
            />
          )}
          <Pager page={at.page} size={pageSize} total={lines.count} onPage={at.onPage} most={5} noun="lines" />
        </>
      )}
    </>
  )
}

/** A table of lines with their messages. */
export function FileLines<Line extends FileLine>({
  label,
  messageHeading = 'Problem',
  lines,
  showValue,
}: {
  label: string
  messageHeading?: string
  lines: readonly Line[]
  showValue?: ((line: Line) => ReactNode) | undefined
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <div tabIndex={0} className="@container overflow-x-auto">
      <table className="w-full border-collapse text-left @max-lg:block">
        <caption className="sr-only">{label}</caption>
        <thead className="@max-lg:sr-only">
          <tr className="border-b border-line text-meta text-muted">
            <th scope="col" className="w-20 py-1.5 pr-3 font-medium">
              Line
            </th>
            <th scope="col" className="w-40 py-1.5 pr-3 font-medium">
              Column
            </th>
            <th scope="col" className="py-1.5 pr-3 font-medium">
              Value
            </th>
            <th scope="col" className="py-1.5 font-medium">
              {messageHeading}
            </th>
          </tr>
        </thead>
        <tbody className="@max-lg:block">
          {lines.map((line) => (
            // In little space, a message has a row of its own.
            <tr
              key={`${line.line} ${line.column} ${line.kind}`}
              className="border-b border-line align-top @max-lg:flex @max-lg:flex-wrap @max-lg:py-1 @max-lg:*:py-0"
            >
              <td className="py-1 pr-3 text-muted tabular-nums">
                <span aria-hidden="true" className="hidden @max-lg:inline">
                  Line{' '}
                </span>
                {count(line.line)}
              </td>
              <td className="py-1 pr-3 text-muted">
                <bdi>{line.column}</bdi>
              </td>
              <td className="max-w-80 truncate py-1 pr-3 @max-lg:min-w-0 @max-lg:flex-1" title={line.value}>
                {showValue?.(line) ?? <bdi>{line.value || <span className="text-faint">–</span>}</bdi>}
              </td>
              <td className={`py-1 @max-lg:basis-full ${LOOKS[line.kind]}`}>
                <bdi>{line.message}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
