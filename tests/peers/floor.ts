// The browser's floor for tests/peers/react-admin.bench.ts: a bare react-admin list and a plain table over our API.
// Both are served beside the workspace by one proxy, compressed and cached like its own files.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'vite'
import { compressBelow } from '../../scripts/compress.ts'
import { passOn } from './names-proxy.ts'

const home = resolve(import.meta.dirname, '../../.cache/peers/react-admin')
const REACT_ADMIN = ['react-admin@5', 'react@19', 'react-dom@19', '@mui/material@7', '@mui/icons-material@7']

/** What both ask and show, with the columns of our list that are fields of its rows. */
const SHARED = `
export const ask = async (path) => {
  const answer = await fetch('/v3/portal' + path, { headers: { 'x-fieldwork': 'workspace' }, credentials: 'same-origin' })
  if (!answer.ok) throw new Error(path + ': ' + answer.status)
  return answer.json()
}
export const COLUMNS = ['name', 'id', 'client_name', 'status', 'pacing', 'delivered', 'ordered', 'cost_cents', 'end_dt', 'trend']
export const list = (page, size) => ask('/projects/all?brief=true&texts=false&page=' + page + '&per_page=' + size)
export const textOf = (value) => value === null || value === undefined ? '' : typeof value === 'object' ? (value.name ?? '') : String(value)
`

const BARE = `
import { createElement as h } from 'react'
import { createRoot } from 'react-dom/client'
import { Admin, Datagrid, FunctionField, List, Resource, Show, SimpleShowLayout, TextField } from 'react-admin'
import { ask, COLUMNS, list, textOf } from './shared.js'
const dataProvider = {
  getList: async (_, { pagination: { page, perPage } }) => {
    const { data, count } = await list(page, perPage)
    return { data, total: count }
  },
  getOne: async (_, { id }) => ({ data: (await ask('/projects/' + id)).data }),
}
const field = (name) => h(FunctionField, { key: name, source: name, label: name, render: (row) => textOf(row[name]) })
const Projects = () => h(List, { perPage: 50, exporter: false }, h(Datagrid, { rowClick: 'show', bulkActionButtons: false }, COLUMNS.map(field)))
const Project = () => h(Show, null, h(SimpleShowLayout, null, COLUMNS.map(field)))
createRoot(document.getElementById('root')).render(
  h(Admin, { dataProvider, disableTelemetry: true }, h(Resource, { name: 'projects', list: Projects, show: Project })),
)
`

const PLAIN = `
import { ask, COLUMNS, list, textOf } from './shared.js'
const make = (tag, children) => {
  const element = document.createElement(tag)
  element.append(...children)
  return element
}
const root = document.getElementById('root')
const open = async (id) => {
  const { data } = await ask('/projects/' + id)
  root.replaceChildren(make('h1', [data.name]), make('dl', COLUMNS.flatMap((name) => [make('dt', [name]), make('dd', [textOf(data[name])])])))
}
const { data } = await list(1, 50)
const rows = data.map((row) => {
  const line = make('tr', COLUMNS.map((name) => make('td', [textOf(row[name])])))
  line.onclick = () => open(row.id)
  return line
})
root.replaceChildren(make('table', [make('thead', [make('tr', COLUMNS.map((name) => make('th', [name])))]), make('tbody', rows)]))
`

const pageOf = (script: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Projects</title></head><body><div id="root"></div><script type="module" src="./${script}"></script></body></html>`

/** Installs react-admin once and builds both pages; returns why it isn't installed, if it isn't. */
export async function buildFloor(): Promise<string | null> {
  mkdirSync(home, { recursive: true })
  let reason: string | null = null
  if (!existsSync(join(home, 'node_modules/react-admin/package.json'))) {
    writeFileSync(join(home, 'package.json'), JSON.stringify({ name: 'peers', version: '0.0.0', private: true }))
    console.log('Installing react-admin into .cache/peers once …')
    await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', ...REACT_ADMIN], {
      cwd: home,
      timeout: 600_000,
    }).catch((error: { stderr?: string; message: string }) => {
      reason = error.stderr?.slice(-600) || error.message
    })
  }
  const out = join(home, 'dist')
  rmSync(out, { recursive: true, force: true })
  writeFileSync(join(home, 'shared.js'), SHARED)
  for (const [name, script] of Object.entries({ plain: PLAIN, ...(reason ? {} : { bare: BARE }) })) {
    writeFileSync(join(home, `${name}.js`), script)
    writeFileSync(join(home, 'index.html'), pageOf(`${name}.js`))
    await build({
      root: home,
      base: `/${name}/`,
      configFile: false,
      logLevel: 'error',
      build: { outDir: join(out, name), target: 'es2023', modulePreload: { polyfill: false } },
    })
  }
  await compressBelow(out)
  return reason
}

/** The version that is installed. */
export const reactAdminVersion = (): string =>
  (JSON.parse(readFileSync(join(home, 'node_modules/react-admin/package.json'), 'utf8')) as { version: string }).version

const TYPES: Readonly<Record<string, string>> = { html: 'text/html; charset=utf-8', js: 'text/javascript', css: 'text/css' }

/** Serves both below /bare/ and /plain/, and everything else from the workspace's server. */
export async function serveFloor(target: string): Promise<{ url: string; stop(): void }> {
  const { hostname, port } = new URL(target)
  const server = createServer((incoming, answer) => {
    const { pathname } = new URL(incoming.url ?? '/', target)
    if (/^\/(bare|plain)\//.test(pathname)) {
      const file = join(home, 'dist', pathname.endsWith('/') ? `${pathname}index.html` : pathname)
      if (!existsSync(file)) return void answer.writeHead(404).end()
      const packed = existsSync(`${file}.br`)
      answer.writeHead(200, {
        'content-type': TYPES[file.split('.').at(-1)!] ?? 'application/octet-stream',
        'cache-control': pathname.endsWith('/') ? 'no-cache' : 'public, max-age=31536000, immutable',
        ...(packed ? { 'content-encoding': 'br' } : {}),
      })
      return void answer.end(readFileSync(packed ? `${file}.br` : file))
    }
    passOn(incoming, answer, { hostname, port })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
