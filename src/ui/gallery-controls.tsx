import { Inbox, Plus, Settings } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { toast } from 'sonner'
import { Button, IconButton } from './Button.tsx'
import { Checkbox, CheckGroup } from './Checkbox.tsx'
import { Chip } from './Chip.tsx'
import { DateInput } from './DateInput.tsx'
import { ConfirmDialog, Dialog } from './Dialog.tsx'
import { Field } from './Field.tsx'
import { FileDrop } from './FileDrop.tsx'
import { Kbd } from './Kbd.tsx'
import { Menu } from './Menu.tsx'
import { PhoneInput } from './PhoneInput.tsx'
import { Badge, Pill } from './Pill.tsx'
import { Popover } from './Popover.tsx'
import { Progress } from './Progress.tsx'
import { RadioGroup } from './RadioGroup.tsx'
import { SearchInput } from './SearchInput.tsx'
import { Select } from './Select.tsx'
import { EmptyState, ErrorState, Skeleton } from './States.tsx'
import { Switch } from './Switch.tsx'
import { NumberInput, TextArea, TextInput } from './TextInput.tsx'
import { Tooltip } from './Tooltip.tsx'

const ages = ['13 to 17', '18 to 24', '25 to 34', '35 to 44', '45 to 54', '55 to 64', '65+'].map((label, at) => ({
  value: at + 1,
  label,
}))

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="min-w-0 border-b border-line py-4">
      <h2 className="mb-2.5 text-meta font-medium text-muted">{title}</h2>
      <div className="flex flex-wrap items-center gap-2.5">{children}</div>
    </section>
  )
}

/** Every control in its states. */
export function GalleryControls() {
  const [text, setText] = useState('Summer Snack Tracker W3')
  const [date, setDate] = useState('2026-11-24')
  const [bad, setBad] = useState('11/31/2026')
  const [phone, setPhone] = useState('3125550142')
  const [picked, setPicked] = useState<number[]>([2, 3, 4])
  const [radio, setRadio] = useState('yes')
  const [on, setOn] = useState(true)
  const [goal, setGoal] = useState('800')
  const [search, setSearch] = useState('snack')
  const [dialog, setDialog] = useState(location.search.includes('dialog=form'))
  const [confirm, setConfirm] = useState(location.search.includes('dialog=confirm'))
  return (
    <div className="grid min-h-0 flex-1 content-start gap-x-10 overflow-y-auto px-4 pb-8 lg:grid-cols-2">
      <Part title="Buttons">
        <Button variant="primary" kbd="n p">
          New project
        </Button>
        <Button kbd="x l">Export</Button>
        <Button variant="danger">Reject…</Button>
        <Button variant="ghost">Cancel</Button>
        <Button kbd="g l" reason="The project has no end date">
          Go live
        </Button>
        <IconButton label="Settings">
          <Settings size={16} />
        </IconButton>
        <IconButton label="Add" variant="default">
          <Plus size={16} />
        </IconButton>
      </Part>
      <Part title="Words">
        <Pill tone="green">Active</Pill>
        <Pill tone="grey">Pending</Pill>
        <Pill tone="blue">Approved</Pill>
        <Pill tone="amber" shape="pause">
          Paused
        </Pill>
        <Pill tone="grey" shape="tick">
          Completed
        </Pill>
        <Pill tone="red">Rejected</Pill>
        <Badge>12</Badge>
        <Badge tone="red">3</Badge>
        <Kbd keys="g p" />
        <Kbd keys="Ctrl+K" />
        <Kbd keys="Alt+Shift+ArrowLeft" />
        <Chip label="Status" value="all" />
        <Chip label="Age" value="25–34, 35–44" on onClear={() => {}} />
      </Part>
      <Part title="Fields">
        <div className="grid w-full gap-3 sm:grid-cols-2">
          <Field label="Project name" required>
            <TextInput value={text} onChange={setText} />
          </Field>
          <Field label="Client" hint="Changing the client removes the team.">
            <Select
              value=""
              onChange={() => {}}
              placeholder="Choose a client"
              options={[{ value: 'a', label: 'Acme Beverage' }]}
            />
          </Field>
          <Field label="Goal" required>
            <NumberInput value={goal} onChange={setGoal} unit="completes" />
          </Field>
          <Field label="Cost">
            <NumberInput value="1250.00" onChange={() => {}} prefix="$" decimals={2} />
          </Field>
          <Field label="Starts">
            <DateInput value={date} onChange={setDate} />
          </Field>
          <Field label="Ends" error="This is no date. Write it as MM/DD/YYYY." required>
            <DateInput value={bad} onChange={setBad} />
          </Field>
          <Field label="Phone">
            <PhoneInput value={phone} onChange={setPhone} />
          </Field>
          <Field label="Locked">
            <TextInput value="P-4812" onChange={() => {}} disabled />
          </Field>
          <Field label="Notes" className="sm:col-span-2">
            <TextArea value="The client wants weekly numbers by Monday noon." onChange={() => {}} />
          </Field>
        </div>
      </Part>
      <Part title="Choices">
        <div className="flex w-full flex-col gap-3">
          <Field label="Age" group required>
            <CheckGroup
              options={ages}
              value={picked}
              onChange={setPicked}
              all="All"
              presets={[{ label: '18+', values: [2, 3, 4, 5, 6, 7] }]}
              columns={88}
            />
          </Field>
          <Field label="Does the survey exist already?" group>
            <RadioGroup
              value={radio}
              onChange={setRadio}
              options={[
                { value: 'yes', label: 'Yes, at a URL' },
                { value: 'file', label: 'As a file' },
                { value: 'no', label: 'Not yet', disabled: true },
              ]}
            />
          </Field>
          <div className="flex flex-wrap gap-x-6">
            <Switch checked={on} onChange={setOn}>
              Single keys
            </Switch>
            <Switch checked={!on} onChange={() => setOn(!on)}>
              Comfortable rows
            </Switch>
            <Checkbox checked="some" onChange={() => {}}>
              Some of them
            </Checkbox>
            <Checkbox checked={false} disabled onChange={() => {}}>
              Not now
            </Checkbox>
          </div>
          <SearchInput value={search} onChange={setSearch} kbd="/" />
        </div>
      </Part>
      <Part title="Files">
        <div className="w-full">
          <FileDrop
            hint="CSV or XLSX, below 10 MB"
            onAdd={() => {}}
            onRemove={() => {}}
            onRetry={() => {}}
            files={[
              { id: '1', name: 'questionnaire-final.docx', bytes: 48_213 },
              { id: '2', name: 'locations.csv', bytes: 2_480_000, progress: 0.64 },
              {
                id: '3',
                name: 'a-recording-that-is-far-too-long.mov',
                bytes: 88_000_000,
                error: 'This file is 83.9 MB; at most 10 MB can be sent.',
              },
            ]}
          />
        </div>
      </Part>
      <Part title="What floats">
        <Button onClick={() => setDialog(true)}>Dialog</Button>
        <Button onClick={() => setConfirm(true)}>Confirm</Button>
        <Menu
          trigger={<Button>Menu</Button>}
          align="start"
          items={[
            { id: 'a', label: 'Assign partner…', kbd: 'a p', onSelect: () => {} },
            { id: 'b', label: 'Go live', kbd: 'g l', reason: 'no end date', onSelect: () => {} },
            { id: 'c', label: 'Show the map', checked: true, onSelect: () => {} },
            null,
            { id: 'd', label: 'Reject…', danger: true, onSelect: () => {} },
          ]}
        />
        <Popover label="Age" trigger={<Chip label="Age" value="any" />}>
          <CheckGroup label="Age" options={ages} value={picked} onChange={setPicked} all="All" columns={88} />
        </Popover>
        <Tooltip content="What the keys do here" kbd="?">
          <Button>Tooltip</Button>
        </Tooltip>
        <Button
          onClick={() =>
            toast.success('17 rewards are on their way', {
              description: 'They are sent in 8 seconds.',
              action: { label: 'Undo', onClick: () => {} },
              duration: 60_000,
            })
          }
        >
          Toast
        </Button>
        <Progress value={0.64} label="Export" className="w-40" showValue />
        <Progress value={null} label="Export" className="w-40" />
      </Part>
      <Part title="Nothing here">
        <EmptyState className="w-full py-4" icon={<Inbox size={20} />} action={<Button kbd="n p">New project</Button>}>
          No projects match. Clear the filters or make one.
        </EmptyState>
      </Part>
      <Part title="Something failed">
        <ErrorState
          className="w-full"
          title="The project could not be loaded."
          action={<Button kbd="r">Try again</Button>}
          detail="request 01JD3-7KQ2"
        >
          The server did not answer. Your other panes still work.
        </ErrorState>
      </Part>
      <Part title="Loading">
        <Skeleton className="w-full" rows={3} />
      </Part>
      <Dialog
        open={dialog}
        onClose={() => setDialog(false)}
        title="Assign partner"
        description="The partner gets a mail with the request and a link to answer it."
        footer={
          <>
            <Button onClick={() => setDialog(false)}>Cancel</Button>
            <Button variant="primary" kbd="Enter">
              Assign
            </Button>
          </>
        }
      >
        <div className="flex flex-col gap-3 pb-2">
          <Field label="Partner" required>
            <Select value="a" onChange={() => {}} options={[{ value: 'a', label: 'Aspen Research' }]} />
          </Field>
          <Field label="Message">
            <TextArea value="" onChange={() => {}} />
          </Field>
        </div>
      </Dialog>
      <ConfirmDialog
        open={confirm}
        onClose={() => setConfirm(false)}
        onConfirm={() => setConfirm(false)}
        title="Clone Project"
        confirm="Clone"
      >
        Are you sure?
      </ConfirmDialog>
    </div>
  )
}
