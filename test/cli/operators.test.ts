import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandsOnNewDatabase } from './commands-here.ts';

test('accounts of the console are made, listed, given another password and removed', async () => {
  const commands = await commandsOnNewDatabase();
  const added = await commands.json('operator', 'add', 'vera', '--role', 'operator', '--generate');
  assert.match(String((added as { password: string }).password), /^[0-9a-f]{24}$/u);
  const changed = await commands.json('operator', 'password', 'vera', '--generate');
  assert.notEqual((changed as { password: string }).password, (added as { password: string }).password);
  const list = (await commands.json('operator', 'list')) as readonly { readonly name: string; readonly role: string }[];
  assert.deepEqual(
    list.map(({ name, role }) => [name, role]),
    [['vera', 'operator']],
  );
  assert.ok(!JSON.stringify(list).includes('scrypt'));
  await commands.json('operator', 'remove', 'vera');
  assert.deepEqual(await commands.json('operator', 'list'), []);
  const entries = (await commands.json('audit')) as readonly { readonly path: string }[];
  assert.deepEqual(entries.map(({ path }) => path).toReversed(), [
    'operator add vera operator',
    'operator password vera',
    'operator remove vera',
  ]);
});

test('a name or a role that cannot be, a second account of a name and a missing one are refused', async () => {
  const commands = await commandsOnNewDatabase();
  const fails = async (...words: readonly string[]) => {
    const { exitCode, stderr } = await commands.run(...words);
    assert.notEqual(exitCode, 0, words.join(' '));
    return stderr;
  };
  assert.match(await fails('operator', 'add', 'Вера', '--generate'), /is not a name/u);
  assert.match(await fails('operator', 'add', 'vera', '--role', 'root', '--generate'), /--role is one of/u);
  assert.match(await fails('operator', 'add', 'vera'), /no terminal to ask at. With --generate/u);
  await commands.json('operator', 'add', 'vera', '--generate');
  assert.match(await fails('operator', 'add', 'vera', '--generate'), /already/u);
  assert.match(await fails('operator', 'remove', 'petar'), /There is no operator petar/u);
  assert.match(await fails('operator', 'password', 'petar', '--generate'), /There is no operator petar/u);
});
