import { useState } from 'react'
import type { Brand } from '../../../../contract/brand.ts'
import { PERIOD_WORDS, VISIT_PERIODS } from '../../../../contract/visitPeriod.ts'
import { useCall } from '../../../data/useCall.ts'
import { CommandButton } from '../../../runner/CommandButton.tsx'
import { start } from '../../../runner/lazyRunner.ts'
import { Button } from '../../../ui/Button.tsx'
import { Chip } from '../../../ui/Chip.tsx'
import { DateInput } from '../../../ui/DateInput.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { readDate } from '../../../ui/dates.ts'
import { Menu } from '../../../ui/Menu.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import { AreaPicker } from '../../shared/AreaPicker.tsx'
import type { Dma } from '../../shared/dma.ts'
import { inOrder, rangeOf, showMarkets } from './look.ts'
import type { LookState } from './useLook.ts'

/** Period, market areas, service and saved filter, all stored in the pane's link. */
export function FilterBar({ brand, state, dmas }: { brand: Brand | undefined; state: LookState; dmas: readonly Dma[] }) {
  const { look, today, filters, filter, changed, problem, before, setLook, toggleBefore, openFilter } = state
  const [choosing, setChoosing] = useState(false)
  const range = rangeOf(look, today)
  const services = brand?.children ?? []
  const service = services.find(({ id }) => id === look.service)
  return (
    <fieldset aria-label="Filters" className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1.5">
      <Menu
        label="Period"
        align="start"
        trigger={<Chip label="Period" value={PERIOD_WORDS[look.date]} on={look.date !== '30days'} />}
        items={VISIT_PERIODS.map((date) => ({
          id: date,
          label: PERIOD_WORDS[date],
          checked: look.date === date,
          one: true,
          onSelect: () => setLook(date === 'custom' ? { date, ...range } : { date, start: '', end: '' }),
        }))}
      />
      {look.date === 'custom' && <Dates state={state} />}
      <Chip
        label="Markets"
        value={showMarkets(dmas, look.dmas)}
        on={look.dmas.length > 0}
        aria-haspopup="dialog"
        data-view=""
        onClick={() => setChoosing(true)}
        {...(look.dmas.length ? { onClear: () => setLook({ dmas: [] }) } : {})}
      />
      {services.length > 1 || look.service ? (
        <Menu
          label="Service"
          align="start"
          trigger={
            <Chip label="Service" value={service?.name ?? (look.service ? 'another' : 'all')} on={look.service !== null} />
          }
          items={[{ id: 0, name: 'All services' }, ...services].map(({ id, name }) => ({
            id: String(id),
            label: name,
            checked: (look.service ?? 0) === id,
            one: true,
            onSelect: () => setLook({ service: id || null }),
          }))}
        />
      ) : null}
      <Switch checked={before} onChange={toggleBefore}>
        <span className="text-meta text-muted">Period before</span>
      </Switch>
      {brand && (
        <span className="ml-auto flex min-w-0 flex-wrap items-center gap-1.5 @max-3xl:ml-0 @max-[15rem]:hidden">
          {filters.length > 0 && (
            <Menu
              label="Saved filter"
              align="end"
              trigger={
                <Chip
                  label="Filter"
                  value={filter ? `${filter.filter_name}${changed ? ', changed' : ''}` : 'none'}
                  on={filter !== null}
                />
              }
              items={[
                ...filters.map(({ filter_id, filter_name }) => ({
                  id: String(filter_id),
                  label: filter_name,
                  checked: filter?.filter_id === filter_id,
                  one: true,
                  onSelect: () => openFilter(filter_id),
                })),
                ...(filter
                  ? [
                      null,
                      { id: 'none', label: 'No saved filter', onSelect: () => openFilter(null) },
                      {
                        ...{ id: 'delete', label: `Delete “${filter.filter_name}”`, danger: true },
                        onSelect: () =>
                          start('filter.remove', { subjects: [], answers: { filter: String(filter.filter_id) }, via: 'menu' }),
                      },
                    ]
                  : []),
              ]}
            />
          )}
          <CommandButton id="filter.save" plain>
            Save filter…
          </CommandButton>
        </span>
      )}
      {problem && (
        <p role="alert" className="basis-full text-red-ink">
          {problem}
        </p>
      )}
      {choosing && <Markets state={state} onClose={() => setChoosing(false)} />}
    </fieldset>
  )
}

/** The first and last day of a custom period; without a last day it lasts five days. */
function Dates({ state: { look, today, setLook, problem } }: { state: LookState }) {
  const range = rangeOf(look, today)
  const set = (name: 'start' | 'end') => (typed: string) => {
    const day = readDate(typed)
    if (day || (!typed && name === 'end')) setLook({ [name]: day ?? '' })
  }
  return (
    <span data-view="" className="flex items-center gap-1.5" aria-invalid={problem ? true : undefined}>
      <DateInput label="Start" value={look.start || range.start} onChange={set('start')} className="w-32" />
      <span className="text-muted">to</span>
      <DateInput label="End" value={look.end || range.end} onChange={set('end')} className="w-32" />
    </span>
  )
}

/** Market areas in columns of 70; each change applies immediately. */
function Markets({ state: { look, setLook }, onClose }: { state: LookState; onClose: () => void }) {
  const read = useCall('dma.list', {})
  const all = read.data?.dmas.map(({ dma_code }) => dma_code) ?? []
  const value = (look.dmas.length ? look.dmas : all).map(String)
  const choose = (codes: readonly string[]) => setLook({ dmas: codes.length === all.length ? [] : inOrder(codes.map(Number)) })
  return (
    <Dialog
      open
      onClose={onClose}
      size="lg"
      title="Market areas"
      description="Space selects, Enter shows only one. With none selected, all are shown."
      footer={
        <>
          <Button data-view="" onClick={() => setLook({ dmas: [] })}>
            All DMAs
          </Button>
          <Button data-view="" variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <AreaPicker read={read} value={value} onChange={choose} onOnly={(code) => choose([code])} />
    </Dialog>
  )
}
