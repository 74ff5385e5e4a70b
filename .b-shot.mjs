import { chromium } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { chromiumPath, chromiumArgs } from './tests/support/chromium.ts'
const base='http://127.0.0.1:4320'
const s = await fetch(base + '/v3/portal/auth/sign_in', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ email: 'admin@fieldwork.test', password: 'Fieldwork-1!' }) })
const auth = Object.fromEntries(['access-token', 'token-type', 'client', 'expiry', 'uid'].map((n) => [n, s.headers.get(n)]))
const J=async(m,p,b)=>{const r=await fetch(base+p,{method:m,headers:{...auth,...(b instanceof FormData||!b?{}:{'content-type':'application/json'})},body:b instanceof FormData?b:b&&JSON.stringify(b)}); return r.json()}
const client=(await J('GET','/v3/portal/clients/dropdown')).data[0].id
const up=async(name,bytes,more={})=>{const f=new FormData(); f.append('file',new Blob([bytes]),name); f.append('kind','location'); const u=(await J('POST','/v3/portal/files/',f)).data; const p=await J('POST','/v3/portal/locations/process',{file_id:u[0].id,client_id:client,name:name+Math.random(),hold:true,...more}); if(!p.data) console.log(p); return p.data.import_id}
const mixed=Buffer.concat([Buffer.from('Store list for autumn\nMade by Zoë\n\nName;Address;City;State;ZIP;Notes;Internal code\nCafé Zoë;1231 Byte Ave, Suite 1;Montréal;NY;12207;;x\n'),Buffer.from('Pi\u00f1ata;1232 Byte Ave;Boston;MA;02108;;y\n','latin1'),Buffer.from('Stray;"1233 Byte Ave;Boston;MA;02108;;z\nGood;1234 Byte Ave;Boston;MA;02108;;z\nNull\0;1235 Byte Ave;Boston;MA;02108;;z\n')])
const ids=[await up('mixed.csv',mixed), await up('info.xlsx',readFileSync('/work/shared/accept/data/x13-rid-prefix.xlsx'),{sheet:'Stores'}), await up('errors.xlsx',readFileSync('/work/shared/accept/data/x11-error-cells.xlsx'))]
console.log(ids)
const b=await chromium.launch({executablePath:await chromiumPath(),args:chromiumArgs})
for (const theme of ['light','dark']) for (const [w,h] of [[1440,900],[390,844],[320,256]]) {
  const page=await (await b.newContext({viewport:{width:w,height:h},colorScheme:theme})).newPage()
  page.on('pageerror',e=>console.log('ERR',e.message)); page.on('console',m=>m.type()==='error'&&console.log('console',m.text()))
  await page.goto(base+'/login'); await page.getByLabel(/user ?name|e-?mail/i).first().fill('admin@fieldwork.test'); await page.getByLabel(/^password/i).first().fill('Fieldwork-1!'); await page.keyboard.press('Enter'); await page.waitForURL(/dashboard/,{timeout:20000})
  for (const [n,id] of ids.entries()) { await page.goto(base+(process.env.ROUTE??'/dashboard/locations/file/')+id); await page.getByText('Already known').first().waitFor({timeout:15000}).catch(e=>console.log('no check',e.message.slice(0,80))); await page.waitForTimeout(400); await page.screenshot({path:`/tmp/bshots/${theme}-${w}-${n}.png`}) 
   if (w===320) { await page.getByLabel('Encoding').or(page.getByLabel('Headings')).first().scrollIntoViewIfNeeded(); await page.screenshot({path:`/tmp/bshots/${theme}-${w}-${n}b.png`}) } }
  await page.close()
}
await b.close()
