import { DatabaseSync } from 'node:sqlite'

// biome-ignore lint/suspicious/noTemplateCurlyInString: the text itself is the trick
const TEMPLATE = '{{constructor.constructor("window.__pwned=1")()}}${7*7}'

/** Texts that must stay plain text: each would set `window.__pwned`, reverse or push its neighbours, or act as code. */
const NAMES: readonly string[] = [
  '<img src=x onerror="window.__pwned=1">',
  '\u202eturned round\u2066 and left open',
  'W'.repeat(10_000),
  '<script>window.__pwned=1</script></title><script>window.__pwned=1</script>',
  '"><svg onload="window.__pwned=1"><a href=javascript:window.__pwned=1>x</a>',
  '\u2067שלום (עולם\u202e 123 \u202b!',
  `${'Z\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307'.repeat(30)}`,
  TEMPLATE,
  '__proto__',
  '👩‍👩‍👧‍👦🏳️‍🌈\u200b\u200d\ufeff\u2060',
  '<iframe srcdoc="<script>parent.__pwned=1</script>"></iframe>',
  "'-alert(1)-'\u0001\u001b[31m%00&lt;b&gt;&#60;b&#62;",
  'مرحبا\u202eabc\u202c 2026-11-21',
  '<style>*{display:none}</style><base href="https://evil.test/">',
  'constructor',
  '<details open ontoggle="window.__pwned=1"><math><mtext></mtext></math>',
]

/** Addresses that would run code or lead away if they became links. */
const LINKS: readonly string[] = [
  'javascript:window.__pwned=1',
  'JaVaScRiPt:window.__pwned=1//https://x.test',
  'java\tscript:window.__pwned=1',
  '\u0001 javascript:window.__pwned=1',
  'java\nscript:window.__pwned=1',
  'data:text/html,<script>window.__pwned=1</script>',
  'DATA:text/html;base64,PHNjcmlwdD4=',
  'vbscript:msgbox(1)',
  'https://evil.test/"><img src=x onerror="window.__pwned=1">',
  `https://evil.test/${'w'.repeat(2000)}`,
]

/** The demo's columns of user text, by table; links are in LINK_COLUMNS. */
const TYPED: Record<string, readonly string[]> = {
  organizations: ['name'],
  clients: ['name'],
  teams: ['name'],
  partners: ['name', 'email', 'phone'],
  projects: ['name', 'description', 'requirements'],
  activities: ['name', 'about', 'social_text', 'action_type', 'social_type'],
  targets: ['targeted_locations'],
  surveys: ['name', 'survey_vendor'],
  questions: ['name'],
  files: ['original_name', 'description', 'asset_type'],
  notes: ['note'],
  history: ['reason'],
  proffers: ['fill_requirements', 'reason'],
  rewards: ['name', 'description', 'provider_code'],
  entries: ['email', 'reason', 'ip'],
  mails: ['to_address', 'subject', 'body', 'html', 'error', 'about'],
  places: ['name', 'address'],
  location_groups: ['name'],
  webhooks: ['name', 'reason'],
  webhook_deliveries: ['error', 'request', 'response'],
}
const LINK_COLUMNS: Record<string, readonly string[]> = {
  projects: ['survey_url'],
  activities: ['url', 'social_link'],
  surveys: ['survey_link'],
  webhooks: ['url'],
}

/** A hand-made stored layout: foreign addresses, far too much, and no layout at all. */
const LAYOUTS = [
  JSON.stringify({
    v: 1,
    columns: [
      {
        tabs: [
          'javascript:window.__pwned=1',
          '//evil.test/',
          'https://evil.test/',
          '/dashboard/../../evil',
          '/dashboard/clients',
        ].map((ref, at) => ({
          id: `<img src=x onerror=window.__pwned=1>${at}`,
          ref,
          pinned: 'x',
        })),
        mru: ['__proto__'],
        width: -1,
      },
    ],
    active: 1e9,
  }),
  `{"__proto__":{"columns":[]},"columns":${'['.repeat(5000)}${']'.repeat(5000)}}`,
]

/**
 * Makes every user text in a demo database hostile: each field of each record gets each of NAMES in turn.
 * The accounts stay, but not their names. Returns ids to open.
 */
export function poison(file: string): { snapshots: string[] } {
  const db = new DatabaseSync(file)
  db.function('bad', (at) => NAMES[Number(at) % NAMES.length]!)
  db.function('bad_link', (at) => LINKS[Number(at) % LINKS.length]!)
  db.exec('pragma busy_timeout=5000; begin')
  let shift = 0
  for (const [table, columns] of Object.entries(TYPED))
    db.exec(`update "${table}" set ${columns.map((column) => `"${column}" = bad(id + ${shift++})`).join()}`)
  for (const [table, columns] of Object.entries(LINK_COLUMNS))
    db.exec(`update "${table}" set ${columns.map((column) => `"${column}" = bad_link(id)`).join()}`)
  db.exec("update organizations set product = '<b>Fieldwork</b>\u202e', support_mail = bad(0) || '@x.test'")
  db.exec('update users set first_name = bad(id), last_name = bad(id + 1), company = bad(id + 2), phone = bad(id + 3)')
  db.exec("update users set email = bad(id + 4) || id where email not like '%@fieldwork.test'")
  db.exec('update dmas set name = bad(code)')
  db.exec('update questions set options = json_array(bad(id), bad(id + 1), bad(id + 2))')
  db.exec('update or ignore answer_cells set value = bad(length(value) + question_id) || value')
  db.exec(
    "update history set before = json_object('name', bad(id), 'client_id', bad(id + 1)), after = json_object('name', bad(id + 2), bad(id + 3), bad(id + 4))",
  )
  const at = new Date().toISOString()
  const admin = db.prepare("select id from users where email = 'admin@fieldwork.test'").get() as { id: number }
  const job = db.prepare(
    `insert into jobs (kind, title, input, status, result, error, attempts, created_by, created_at, started_at, not_before, ended_at, done, total)
     values ('export', bad(?), '{}', 'failed', json_object('file_name', bad(?)), bad(?), 1, ?, ?, ?, ?, ?, 0, 0)`,
  )
  const view = db.prepare(
    `insert into views (created_at, updated_at, user_id, screen, name, name_key, query, shared) values (?, ?, ?, 'allProjects', bad(?), bad(?), ?, 'own')`,
  )
  for (let nth = 0; nth < NAMES.length; nth++) {
    job.run(nth, nth + 1, nth + 2, admin.id, at, at, at, at)
    view.run(
      at,
      at,
      admin.id,
      nth,
      nth,
      `search=${encodeURIComponent('<img src=x onerror="window.__pwned=1">')}&status=__proto__`,
    )
    db.prepare('insert into api_keys (name, key_hash, created_by, created_at) values (bad(?), ?, ?, ?)').run(
      nth,
      `hash${nth}`,
      admin.id,
      at,
    )
  }
  const snapshots = LAYOUTS.map((layout, nth) => {
    const id = `hostile-layout-${nth}`
    db.prepare('insert into snapshots (id, layout, created_by, created_at) values (?, ?, ?, ?)').run(id, layout, admin.id, at)
    return id
  })
  db.exec('commit')
  db.close()
  return { snapshots }
}
