import { useEffect, useMemo, useState } from 'react'
import { foldText } from '../../contract/foldText.ts'
import type { Ask, RawAnswers } from '../commands/command.ts'
import { kindsOfAsk, optionsOf } from '../commands/commandQuestions.ts'
import type { Option, Subject } from '../commands/subject.ts'
import { api } from '../data/apiClient.ts'
import { workspace } from '../workspace/currentWorkspace.ts'
import { byRank, find } from './rank.ts'
import { recentRecords, useFound } from './useFound.ts'

/** A choice as a row; its value is a record's id or an option's value. */
export interface Choice {
  value: string
  kind: string | null
  label: string
  detail: string
  ranges: readonly (readonly [number, number])[]
}

const NO_OPTIONS: readonly Option[] = []
const NO_ANSWERS: RawAnswers = {}

/** True if the choices are few enough to list. */
const isListed = (ask: Ask): boolean => kindsOfAsk(ask).every((kind) => kind === 'partner' || kind === 'client')

/** Loads all records of a kind with few; others are found in the index. */
async function listed(kind: string): Promise<Option[]> {
  const { data } = kind === 'partner' ? await api.read('partner.dropdown', {}) : await api.read('client.dropdown', {})
  return data.map(({ id, name }) => ({ value: String(id), label: name }))
}

/** Returns the options of a question with few choices, which may have to load; null while loading. */
export function useOptions(
  ask: Ask | null,
  subjects: readonly Subject[],
  answers: RawAnswers = NO_ANSWERS,
): { options: readonly Option[] | null; error: string | null } {
  const earlier = (ask?.type === 'entity' || ask?.type === 'entities') && ask.amongOf ? answers[ask.amongOf] : undefined
  const load = useMemo(() => {
    if (ask?.type !== 'entity' && ask?.type !== 'entities') return null
    if (ask.among) return () => ask.among!(api, subjects, workspace, earlier)
    const [kind] = kindsOfAsk(ask)
    return isListed(ask) ? () => listed(kind!) : null
  }, [ask, subjects, earlier])
  const [read, setRead] = useState<{ load: unknown; options: readonly Option[] | null; error: string | null }>({
    load: null,
    options: null,
    error: null,
  })
  useEffect(() => {
    if (!load) return
    let gone = false
    load().then(
      (options) => !gone && setRead({ load, options, error: null }),
      (error: Error) => !gone && setRead({ load, options: NO_OPTIONS, error: error.message }),
    )
    return () => {
      gone = true
    }
  }, [load])
  if (load) return read.load === load ? read : { options: null, error: null }
  if (ask?.type === 'option' || ask?.type === 'several') return { options: optionsOf(ask, subjects, workspace), error: null }
  return { options: NO_OPTIONS, error: null }
}

/** Filters options by the typed text, best first; without text, keeps their order. */
export function filterOptions(options: readonly Option[], typed: string): Choice[] {
  const literal = foldText(typed).trim()
  return options
    .flatMap((option) => {
      const found = find(typed, { title: option.label, names: [option.value], keywords: option.detail ?? '' })
      // An address that matches with a typo comes after one that matches exactly.
      const near = literal === '' || foldText(option.detail ?? '').includes(literal) ? 0 : 1
      return found ? [{ option, ...found, use: 0, near }] : []
    })
    .sort(byRank)
    .slice(0, 50)
    .map(({ option, ranges }) => ({ value: option.value, kind: null, label: option.label, detail: option.detail ?? '', ranges }))
}

/** Returns the choices of the current question that match the text, and all that it has without one. */
export function useChoices(
  ask: Ask | null,
  kinds: readonly string[] | null,
  typed: string,
  subjects: readonly Subject[],
  answers?: RawAnswers,
): { choices: readonly Choice[]; all: readonly Choice[]; waiting: boolean; error: string | null } {
  const { options, error } = useOptions(ask, subjects, answers)
  const indexed = kinds !== null || ((ask?.type === 'entity' || ask?.type === 'entities') && !ask.among && !isListed(ask))
  const wanted = useMemo(() => kinds ?? (ask ? kindsOfAsk(ask) : []), [kinds, ask])
  const { hits, late, searching, lacking } = useFound(indexed ? typed : '', indexed ? wanted : null)
  return useMemo(() => {
    // A command's subject can't be the answer.
    const own = (kind: string | null, id: string) =>
      ask?.type === 'entities' &&
      subjects.some((subject) => String(subject.id) === id && (kind ?? kindsOfAsk(ask)[0]) === subject.kind)
    if (!indexed) {
      const others = options?.filter(({ value }) => !own(null, value)) ?? []
      const all = others.map(({ value, label, detail = '' }) => ({ value, kind: null, label, detail, ranges: [] }))
      return { choices: filterOptions(others, typed), all, waiting: options === null, error }
    }
    const recent = recentRecords(wanted, 8).map((entity) => ({ ...entity, ranges: [] }))
    const choicesOf = (found: readonly (typeof recent | typeof hits)[number][]): Choice[] =>
      found
        .filter((hit) => !own(hit.kind, String(hit.id)))
        .map((hit) => ({
          value: String(hit.id),
          kind: hit.kind,
          label: hit.name,
          detail: hit.detail,
          ranges: hit.ranges,
        }))
    const [choices, all] = [choicesOf(typed ? [...hits, ...late] : recent), choicesOf(recent)]
    return { choices, all, waiting: !choices.length && typed !== '' && (searching || lacking?.how === 'coming'), error: null }
  }, [indexed, options, typed, error, hits, late, searching, lacking, wanted, ask, subjects])
}
