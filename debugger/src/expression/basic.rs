//! BASIC's variables in expressions: numbers with fractions, texts, elements of arrays.

use super::{Context, Node, Operator, apply, evaluate};
use crate::basic::lookup;

/// A value of an expression that names a variable of BASIC.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Number(f64),
    Text(Vec<u8>),
    /// BASIC has no such variable or element: it counts as 0, and no comparison with it is true.
    Missing,
}

impl Value {
    /// The value as a number; for a text its length, so that an empty one is false.
    pub(crate) fn number(&self) -> f64 {
        match self {
            Self::Number(number) => *number,
            Self::Text(text) => text.len() as f64,
            Self::Missing => 0.0,
        }
    }

    /// As BASIC's PRINT shows numbers, texts in quotes.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Number(_) | Self::Missing => self.number().to_string(),
            Self::Text(text) => format!("\"{}\"", lookup::readable(text)),
        }
    }
}

/// The value of a node.
pub(super) fn value(node: &Node, context: &Context) -> Value {
    let number = |node: &Node| value(node, context).number();
    let truth = |is: bool| Value::Number(f64::from(u8::from(is)));
    match node {
        Node::Basic(name, indexes) => variable(name, indexes, context),
        Node::Text(text) => Value::Text(text.clone()),
        Node::Real(bits) => Value::Number(f64::from_bits(*bits)),
        Node::Minus(inner) => Value::Number(-number(inner)),
        Node::Not(inner) => truth(number(inner) == 0.0),
        Node::Binary(operator, left, right) => {
            let sides = (value(left, context), value(right, context));
            if let (Value::Text(left), Value::Text(right)) = &sides {
                return binary(*operator, left, right).map_or(Value::Number(0.0), truth);
            }
            let missing = matches!(sides, (Value::Missing, _) | (_, Value::Missing));
            let (left, right) = (sides.0.number(), sides.1.number());
            if let Some(is) = binary(*operator, &left, &right) {
                return truth(is && !missing);
            }
            Value::Number(match operator {
                Operator::Or => f64::from(u8::from(left != 0.0 || right != 0.0)),
                Operator::And => f64::from(u8::from(left != 0.0 && right != 0.0)),
                Operator::Plus => left + right,
                Operator::Minus => left - right,
                Operator::Times => left * right,
                Operator::Over if right == 0.0 => 0.0,
                Operator::Over => left / right,
                operator => apply(*operator, left as i64, right as i64) as f64,
            })
        }
        node => Value::Number(evaluate(node, context) as f64),
    }
}

/// A comparison; `None` for other operators.
fn binary<T: PartialOrd>(operator: Operator, left: &T, right: &T) -> Option<bool> {
    Some(match operator {
        Operator::Equal => left == right,
        Operator::Unequal => left != right,
        Operator::AtMost => left <= right,
        Operator::AtLeast => left >= right,
        Operator::Below => left < right,
        Operator::Above => left > right,
        _ => return None,
    })
}

fn variable(name: &str, indexes: &[Node], context: &Context) -> Value {
    let peek = |address: u16| context.peek(address);
    // BASIC rounds indexes.
    let index = |n: usize| {
        let index = value(indexes.get(n)?, context).number().round();
        (0.0..=65535.0).contains(&index).then_some(index as u16)
    };
    if name.ends_with('$') {
        let Some(text) = lookup::text(&peek, name) else {
            return Value::Missing;
        };
        let first = usize::from(index(0).unwrap_or(1).max(1)) - 1;
        let last = index(1).map_or(text.len(), usize::from).min(text.len());
        return Value::Text(text.get(first..last).unwrap_or_default().to_vec());
    }
    let address = if name.ends_with('(') {
        let column = if indexes.len() > 1 { index(1) } else { Some(0) };
        index(0)
            .zip(column)
            .and_then(|(row, column)| lookup::element(&peek, name, row, column))
    } else {
        lookup::entry(&peek, name).map(|entry| entry.wrapping_add(2))
    };
    address.map_or(Value::Missing, |address| {
        Value::Number(lookup::number_at(&peek, address))
    })
}
