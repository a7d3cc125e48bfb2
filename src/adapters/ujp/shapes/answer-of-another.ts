import type { JsonObject } from '../answers/json-object.ts';
import { SERVICE_SHAPES } from './service-shapes.ts';
import type { Shape } from './shape.ts';

/** The members that all answers have. */
const OF_ALL: ReadonlySet<string> = new Set(['success', 'createdDate', 'errorStatus']);
/** Their members are as good as any other service's: a time, a text, an EUID. */
const TELL_NOTHING: ReadonlySet<string> = new Set(['server-time', 'sales-invoices/send']);

/** The services whose answer has a member, by the member. */
const SERVICES_BY_MEMBER = servicesByMember();

/** Whether the answer is known to be that of another service, also one that calls itself a success: something on the way may have mixed answers up. */
export function isAnswerOfAnother({ path }: { readonly path: string }, answer: JsonObject): boolean {
  const services = Object.keys(answer).flatMap((member) => SERVICES_BY_MEMBER.get(member) ?? []);
  return services.length > 0 && !services.includes(path);
}

function servicesByMember(): ReadonlyMap<string, readonly string[]> {
  const entries = Object.entries<Shape | 'zip'>(SERVICE_SHAPES)
    .filter(([service]) => !TELL_NOTHING.has(service))
    .flatMap(([service, shape]) => membersOf(shape).map((member) => ({ member, service })));
  const grouped = Map.groupBy(entries, ({ member }) => member);
  return new Map(Array.from(grouped, ([member, rows]) => [member, rows.map(({ service }) => service)]));
}

function membersOf(shape: Shape | 'zip'): readonly string[] {
  return shape === 'zip' || shape.kind !== 'object'
    ? []
    : Object.keys(shape.members).filter((name) => !OF_ALL.has(name));
}
