import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { count } from '../../../../contract/format.ts'
import { agesOf, GENDERS } from '../../../../contract/vocabulary.ts'
import type { Split } from '../../../commands/responsesController.ts'
import { useCall } from '../../../data/useCall.ts'
import { Button } from '../../../ui/Button.tsx'
import { Chip } from '../../../ui/Chip.tsx'
import { cx } from '../../../ui/cx.ts'
import { Menu } from '../../../ui/Menu.tsx'
import { usePane } from '../../../workspace/pane.tsx'
import { chosenText, DEMOGRAPHICS, demographicsOf } from '../demographicFilters.ts'
import type { Bases } from './chart.ts'
import { colourOf } from './colours.ts'
import { gendersOn, isFiltered, switchAge, switchGender, WITHOUT_FILTERS } from './responsesView.ts'

const isMore = ({ key }: { key: string }) => key !== 'age' && key !== 'gender'
const MORE = DEMOGRAPHICS.filter(isMore)
const UNKNOWN_AGE = '8'

/** Filter chips: genders and ages as toggles, the rest under More. Chips use the colours of split bars. */
export function FilterChips({
  bases,
  split,
  generation,
  survey,
}: {
  bases: Bases | undefined
  split: Split
  generation: string
  /** One of the project's surveys; undefined without one. */
  survey: number | undefined
}) {
  const { query, setQuery } = usePane()
  const any = MORE.some(({ key }) => query[key])
  const [opened, setOpened] = useState(false)
  const shown = opened || any
  const ethnicities = useCall('runtime.ethnicity', shown && survey ? { surveyId: survey, scope: 'project' } : null).data?.data
  const otherEthnicity =
    query.ethnicity?.includes('other') || ethnicities?.some(({ value, count }) => value === 'other' && count > 0)
  const on = gendersOn(query)
  const ages = (query.age ?? '').split(',').filter(Boolean)
  const people = (value: string, of: 'gender' | 'age') => bases?.[of][value] ?? 0
  const genders = [...GENDERS, { value: 'unknown', label: 'Unknown' }].filter(
    ({ value }) => value !== 'unknown' || (query.gender !== 'all' && on.includes(value)) || people(value, 'gender') > 0,
  )
  const shownAges = [
    ...agesOf(generation).map(({ value, label }) => ({ value: String(value), label })),
    { value: UNKNOWN_AGE, label: 'Unknown' },
  ]
    // Age groups without respondents aren't offered, typically the youngest and unknown ages.
    .filter(({ value }) => ages.includes(value) || people(value, 'age') > 0)
  return (
    <fieldset aria-label="Who is counted" data-filters="" className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1.5">
      <Group label="Gender">
        {genders.map(({ value, label }) => (
          <Toggle
            key={value}
            label={label}
            on={on.includes(value)}
            people={bases && people(value, 'gender')}
            swatch={split === 'gender' ? colourOf('gender', value) : null}
            onClick={() => setQuery(switchGender(query, value))}
          />
        ))}
      </Group>
      {shownAges.length > 0 && (
        <Group label="Age">
          {shownAges.map(({ value, label }) => (
            <Toggle
              key={value}
              label={label.replace(' to ', '–')}
              on={!ages.length || ages.includes(value)}
              people={bases && people(value, 'age')}
              swatch={split === 'age' ? colourOf('age', value) : null}
              onClick={() => setQuery(switchAge(query, value))}
            />
          ))}
        </Group>
      )}
      <span className="flex flex-wrap items-center gap-1.5">
        {shown ? (
          demographicsOf(generation, generation === 'campaign' || otherEthnicity === true)
            .filter(isMore)
            .map(({ key, label, terms }) => (
              <span key={key} data-filter={key}>
                <Menu
                  label={label}
                  align="start"
                  trigger={<Chip label={label} value={chosenText(terms, query[key])} on={Boolean(query[key])} />}
                  items={[
                    { id: 'any', label: 'Any', checked: !query[key], one: true, onSelect: () => setQuery({ [key]: null }) },
                    ...terms.map((term) => {
                      const value = String(term.value)
                      const chosen = (query[key] ?? '').split(',').filter(Boolean)
                      const next = chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]
                      return {
                        id: value,
                        label: term.label,
                        checked: chosen.includes(value),
                        stays: true,
                        onSelect: () => setQuery({ [key]: next.join() || null }),
                      }
                    }),
                  ]}
                />
              </span>
            ))
        ) : (
          <Button data-view="" variant="ghost" aria-expanded={false} onClick={() => setOpened(true)}>
            More
            <ChevronDown size={12} aria-hidden="true" />
          </Button>
        )}
        {(isFiltered(query) || query.gender) && (
          <Button data-view="" variant="ghost" onClick={() => setQuery(WITHOUT_FILTERS)}>
            Clear
          </Button>
        )}
      </span>
    </fieldset>
  )
}

function Group({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is already inside a fieldset
    <span role="group" aria-label={label} className="flex min-w-0 flex-wrap items-center gap-1">
      <span aria-hidden="true" className="mr-1 text-meta text-muted">
        {label}
      </span>
      {children}
    </span>
  )
}

interface ToggleProps {
  label: string
  on: boolean
  people: number | undefined
  /** The colour of its part of the bars. */
  swatch: string | null
  onClick(): void
}

function Toggle({ label, on, people, swatch, onClick }: ToggleProps) {
  return (
    <button
      type="button"
      data-view=""
      aria-pressed={on}
      title={people === undefined ? undefined : `${count(people)} completes`}
      onClick={onClick}
      className={cx(
        'flex h-6 items-center gap-1.5 whitespace-nowrap rounded-md border px-2 text-meta -outline-offset-2',
        on ? 'border-edge bg-hover text-ink' : 'border-dashed border-edge text-muted hover:text-ink',
      )}
    >
      {swatch && (
        <span
          aria-hidden="true"
          className="size-2 shrink-0 rounded-[2px]"
          style={{ background: swatch, opacity: on ? 1 : 0.35 }}
        />
      )}
      {label}
    </button>
  )
}
