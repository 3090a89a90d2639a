use a::{b, c as d};
mod m;
#[derive(Debug)]
pub struct S<T> { x: T }
impl<T: Clone> Tr for S<T> where T: Copy {
    fn f(&self) -> Result<u8, E> {
        if let Some(x) = y? { unsafe { *p } } else { loop { match z { A(n) if n > 1 => break, _ => continue } } }
        let c = |a| a + 1; println!("{}", c(1)); Ok(1)
    }
}
#[cfg(test)] mod t { #[test] fn q() { assert!(true); } }
