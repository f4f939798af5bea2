/// <reference types="jest" />
import { format } from './format';

test('a document is formatted', () => {
  expect(format('query Q($n:Int=5){requests(first:$n){nodes{id}}}')).toBe(`query Q($n: Int = 5) {
  requests(first: $n) {
    nodes {
      id
    }
  }
}`);
});

test('comments keep their place, also in the shorthand without the word query', () => {
  const given = `# top
query { # who
  me { id
    # inside
  }
  # last
}
# end`;
  expect(format(given)).toBe(`# top
{ # who
  me {
    id
    # inside
  }
  # last
}
# end`);
});

test('formatting is idempotent', () => {
  const once = format('{ a # one\n b # two\n # three\n c }') ?? '';
  expect(format(once)).toBe(once);
});

test('a hash within a string is no comment', () => {
  expect(format('{ requests(filter: { subject: "#1" }) { id } }')).toContain('subject: "#1"');
});

test('an invalid document is not formatted', () => {
  expect(format('{ me {')).toBeUndefined();
});
